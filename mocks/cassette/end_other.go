//go:build !windows

package cassette

// systemEndCauses extends endCauses by errors of the operating system. Only Windows has any.
var systemEndCauses []endCause
