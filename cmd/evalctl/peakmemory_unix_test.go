//go:build unix

package main

import (
	"os"
	"syscall"
)

// peakMemory is the largest resident memory of a process that has ended, in KiB on Linux.
func peakMemory(p *os.ProcessState) int64 { return p.SysUsage().(*syscall.Rusage).Maxrss }
