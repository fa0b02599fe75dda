//go:build !windows

package llm

// brokenHere are further errors of broken connections on this system.
var brokenHere []error
