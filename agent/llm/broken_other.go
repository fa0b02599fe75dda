//go:build !windows

package llm

// brokenHere lists further errors of broken connections on this system.
var brokenHere []error
