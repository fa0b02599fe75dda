//go:build unix

package journal

import (
	"errors"
	"os"
	"syscall"
)

// noFollow makes an open fail on a symbolic link.
const noFollow = syscall.O_NOFOLLOW

// lock prevents other processes from writing to f, because a trial that runs twice is paid twice.
// The lock is released when the process ends.
func lock(f *os.File) error {
	err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return lockedError(f.Name())
	}
	return err
}

// LocksSupported reports whether a directory in use by another process is detected.
const LocksSupported = true
