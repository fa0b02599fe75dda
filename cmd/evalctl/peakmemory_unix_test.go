//go:build unix

package main

import (
	"os"
	"syscall"
)

// peakMemory returns the peak resident memory that a finished process used, in KiB on Linux.
func peakMemory(p *os.ProcessState) int64 { return p.SysUsage().(*syscall.Rusage).Maxrss }
