//go:build !windows

package llm

// platformResets lists further errors of broken connections on this system.
var platformResets []error
