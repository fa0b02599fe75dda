package journal

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// noFollow is not supported on Windows; links are detected only by the check before opening.
const noFollow = 0

// lock prevents other processes from writing to the file. The lock is released when the file is
// closed or the process ends. On Windows a lock also prevents reading, so it covers only one byte
// far behind the end of the file.
func lock(f *os.File) error {
	far := &windows.Overlapped{OffsetHigh: 1 << 30}
	err := windows.LockFileEx(windows.Handle(f.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY,
		0, 1, 0, far)
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
		return lockedError(f.Name())
	}
	return err
}

// LocksSupported reports whether this system can detect a run directory in use.
const LocksSupported = true
