package program

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
)

// passes is the number of searches, because processes may be started in the meantime.
const passes = 3

// killMarked kills all processes with a mark in their environment, in any group or session and with
// any parent.
func killMarked(mark string) {
	for range passes {
		if !killEach(mark) {
			return
		}
	}
}

func killEach(mark string) (found bool) {
	paths, _ := filepath.Glob("/proc/[0-9]*/environ") // the pattern is valid
	for _, path := range paths {
		environ, err := os.ReadFile(path)
		if err != nil || !bytes.Contains(append([]byte{0}, environ...), []byte("\x00"+mark+"\x00")) {
			continue // also if it belongs to another user and cannot be read
		}
		pid, err := strconv.Atoi(filepath.Base(filepath.Dir(path)))
		if err == nil && pid != os.Getpid() && syscall.Kill(pid, syscall.SIGKILL) == nil {
			found = true
		}
	}
	return found
}
