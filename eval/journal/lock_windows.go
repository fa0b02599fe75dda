package journal

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// noFollow is not supported; the check before the open must suffice.
const noFollow = 0

// lock prevents other processes from writing to f. The lock is released when the file is closed or
// the process ends. Windows locks are mandatory, so it covers one byte far behind the end of any
// file: other processes can still read.
func lock(f *os.File) error {
	far := &windows.Overlapped{OffsetHigh: 1 << 30}
	err := windows.LockFileEx(windows.Handle(f.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY,
		0, 1, 0, far)
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
		return lockedError(f.Name())
	}
	return err
}

// LocksSupported reports whether a directory in use by another process is detected.
const LocksSupported = true
