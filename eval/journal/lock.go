//go:build unix

package journal

import (
	"errors"
	"os"
	"syscall"
)

// noFollow is the flag with which opening a symbolic link fails.
const noFollow = syscall.O_NOFOLLOW

// lock prevents other processes from writing to the file, because a trial that runs twice costs
// money twice. The lock is released when the process ends.
func lock(f *os.File) error {
	err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return lockedError(f.Name())
	}
	return err
}

// LocksSupported reports whether this system can detect a run directory in use.
const LocksSupported = true
