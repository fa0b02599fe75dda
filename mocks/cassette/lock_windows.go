package cassette

import (
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/windows"
)

// lock prevents other processes from recording into f, which would mix their exchanges. The lock is
// released when the file is closed or the process ends. Windows locks also block reads, so only one
// byte far beyond the end of any file is locked.
func lock(f *os.File) error {
	farByte := &windows.Overlapped{OffsetHigh: 1 << 30}
	err := windows.LockFileEx(windows.Handle(f.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY,
		0, 1, 0, farByte)
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
		return fmt.Errorf("%s: another process is recording into it", f.Name())
	}
	return err
}
