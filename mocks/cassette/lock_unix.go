//go:build unix

package cassette

import (
	"errors"
	"fmt"
	"os"
	"syscall"
)

// lock keeps other processes from recording into f while this one does: nobody could tell
// whose an exchange is. The lock goes with the file.
func lock(f *os.File) error {
	err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return fmt.Errorf("%s: another process is recording into it", f.Name())
	}
	return err
}
