//go:build !windows

package exit

// diskErrors are additional errors of a full or failing disk on this system.
var diskErrors []error
