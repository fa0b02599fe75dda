//go:build !windows

package llm

// platformResets lists additional errors that mean a broken connection on this operating system.
var platformResets []error
