//go:build !windows

package exit

// diskErrors contains the errors of a full disk that exist only on this operating system.
var diskErrors []error
