//go:build unix

package cassette

import (
	"errors"
	"fmt"
	"os"
	"syscall"
)

// lock prevents other processes from recording into f, which would mix their exchanges. The lock is
// released when the file is closed or the process ends.
func lock(f *os.File) error {
	err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return fmt.Errorf("%s: another process is recording into it", f.Name())
	}
	return err
}
