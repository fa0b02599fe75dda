package command

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"syscall"

	"golang.org/x/sys/unix"
)

// isUnread tells that exactly so many bytes of a pipe wait to be read.
func isUnread(pipe *os.File, n int) bool {
	conn, err := pipe.SyscallConn()
	if err != nil {
		return false
	}
	waiting := -1
	err = conn.Control(func(fd uintptr) { waiting, _ = unix.IoctlGetInt(int(fd), unix.TIOCINQ) }) // what cannot be told is not waited for
	return err == nil && waiting == n
}

// passes are how often is looked for what was started meanwhile.
const passes = 3

// killMarked ends all processes with a mark in their environment, whatever group or session
// they are in, and whoever is their parent now.
func killMarked(mark string) {
	for range passes {
		if !killEach(mark) {
			return
		}
	}
}

func killEach(mark string) (found bool) {
	paths, _ := filepath.Glob("/proc/[0-9]*/environ") // the pattern is sound
	for _, path := range paths {
		environ, err := os.ReadFile(path)
		if err != nil || !bytes.Contains(append([]byte{0}, environ...), []byte("\x00"+mark+"\x00")) {
			continue // also another's, which nobody may read
		}
		pid, err := strconv.Atoi(filepath.Base(filepath.Dir(path)))
		if err == nil && pid != os.Getpid() && syscall.Kill(pid, syscall.SIGKILL) == nil {
			found = true
		}
	}
	return found
}
