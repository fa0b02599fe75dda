package command

import (
	"os"

	"golang.org/x/sys/unix"
)

// unreadBytes returns the number of bytes in a pipe that have not been read; -1: unknown.
func unreadBytes(pipe *os.File) int {
	conn, err := pipe.SyscallConn()
	if err != nil {
		return -1
	}
	waiting := -1
	err = conn.Control(func(fd uintptr) {
		if n, err := unix.IoctlGetInt(int(fd), unix.TIOCINQ); err == nil {
			waiting = n
		}
	})
	if err != nil {
		return -1
	}
	return waiting
}
