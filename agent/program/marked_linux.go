package program

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
)

// passes is how often killMarked searches for processes, because new ones may start during a
// search.
const passes = 3

// killMarked kills all processes that have the mark in their environment, in any process group or
// session and with any parent.
func killMarked(mark string) {
	for range passes {
		if !killEach(mark) {
			return
		}
	}
}

func killEach(mark string) (found bool) {
	paths, _ := filepath.Glob("/proc/[0-9]*/environ") // the error concerns only the pattern, which is valid
	for _, path := range paths {
		environ, err := os.ReadFile(path)
		if err != nil || !bytes.Contains(append([]byte{0}, environ...), []byte("\x00"+mark+"\x00")) {
			continue // also if the process belongs to another user and cannot be read
		}
		pid, err := strconv.Atoi(filepath.Base(filepath.Dir(path)))
		if err == nil && pid != os.Getpid() && syscall.Kill(pid, syscall.SIGKILL) == nil {
			found = true
		}
	}
	return found
}
