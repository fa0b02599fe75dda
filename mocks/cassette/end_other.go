//go:build !windows

package cassette

// brokenHere are further causes on this system.
var brokenHere []endCause
