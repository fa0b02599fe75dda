//go:build !windows

package cassette

// brokenHere lists further errors on this system.
var brokenHere []endCause
