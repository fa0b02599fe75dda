//go:build !windows

package cassette

// systemEndCauses lists further errors on this system.
var systemEndCauses []endCause
