//go:build !windows

package exit

// diskErrors are further errors of a disk on this system.
var diskErrors []error
