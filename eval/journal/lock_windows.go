package journal

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// noFollow is left to the look before the open.
const noFollow = 0

// lock keeps other processes from writing to f while this one does. The lock is released when the
// file is closed or the process ends. Windows locks are mandatory, so it covers one byte far behind the end
// of any file: other processes can still read.
func lock(f *os.File) error {
	far := &windows.Overlapped{OffsetHigh: 1 << 30}
	err := windows.LockFileEx(windows.Handle(f.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, far)
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
		return taken(f.Name())
	}
	return err
}

// LocksSupported reports that a folder in use by another process is detected.
const LocksSupported = true
