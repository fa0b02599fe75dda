package command

import (
	"os"

	"golang.org/x/sys/unix"
)

// isUnread reports whether exactly so many bytes of a pipe wait to be read.
func isUnread(pipe *os.File, n int) bool {
	conn, err := pipe.SyscallConn()
	if err != nil {
		return false
	}
	waiting := -1
	err = conn.Control(func(fd uintptr) { waiting, _ = unix.IoctlGetInt(int(fd), unix.TIOCINQ) }) // what cannot be told is not waited for
	return err == nil && waiting == n
}
