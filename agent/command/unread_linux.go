package command

import (
	"os"

	"golang.org/x/sys/unix"
)

// isUnread reports whether a pipe contains exactly n bytes that the program has not read.
func isUnread(pipe *os.File, n int) bool {
	conn, err := pipe.SyscallConn()
	if err != nil {
		return false
	}
	waiting := -1
	// if the call fails, waiting is not n, so isUnread returns false
	err = conn.Control(func(fd uintptr) { waiting, _ = unix.IoctlGetInt(int(fd), unix.TIOCINQ) })
	return err == nil && waiting == n
}
