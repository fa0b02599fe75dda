package command

import (
	"os"

	"golang.org/x/sys/unix"
)

// isUnread reports whether exactly n bytes in a pipe are unread.
func isUnread(pipe *os.File, n int) bool {
	conn, err := pipe.SyscallConn()
	if err != nil {
		return false
	}
	waiting := -1
	// on failure there is no wait
	err = conn.Control(func(fd uintptr) { waiting, _ = unix.IoctlGetInt(int(fd), unix.TIOCINQ) })
	return err == nil && waiting == n
}
