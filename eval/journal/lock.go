//go:build unix

package journal

import (
	"errors"
	"os"
	"syscall"
)

// noFollow has an open fail on a symbolic link.
const noFollow = syscall.O_NOFOLLOW

// lock keeps other processes from writing to f while this one does: trials
// played twice would be paid twice. The lock goes with the process.
func lock(f *os.File) error {
	err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return taken(f.Name())
	}
	return err
}

// LocksSupported tells that a folder which another process holds is known.
const LocksSupported = true
