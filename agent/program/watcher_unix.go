//go:build unix

package program

import (
	"fmt"
	"os"
	"os/exec"
	"sync"
	"syscall"
)

// watcher is a shell process that ends the programs if this process dies. It reads process IDs from
// a pipe whose other end only this process holds, so the pipe ends with this process. The shell
// then kills the process groups of the programs, and on Linux all processes with the mark in their
// environment. The zero value is ready to use.
type watcher struct {
	mu    sync.Mutex
	begun bool
	shell *exec.Cmd // nil: not running
	pipe  *os.File
}

// watcherScript is the script of the watcher shell; its argument $1 is the mark.
const watcherScript = `trap '' HUP INT TERM
pids=
while read -r verb pid; do
	case $verb in
	+) pids="$pids $pid" ;;
	-) left=
		for p in $pids; do [ "$p" = "$pid" ] || left="$left $p"; done
		pids=$left ;;
	esac
done
for p in $pids; do kill -9 "-$p"; done
for pass in 1 2 3; do
	for f in /proc/[0-9]*/environ; do
		grep -q -F "$1" "$f" && p=${f#/proc/} && kill -9 "${p%/environ}"
	done
done`

// begin starts the shell at its first call. If the shell cannot be started, programs run unwatched.
func (w *watcher) begin(mark string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.begun {
		return
	}
	w.begun = true
	r, pipe, err := os.Pipe() // programs inherit neither end of the pipe
	if err != nil {
		return
	}
	defer r.Close()
	shell := exec.Command("/bin/sh", "-c", watcherScript, "sh", mark)
	shell.Stdin, shell.Env = r, []string{"PATH=" + os.Getenv("PATH")}
	shell.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if shell.Start() != nil {
		_ = pipe.Close()
		return
	}
	w.shell, w.pipe = shell, pipe
}

func (w *watcher) add(pid int)    { w.write("+", pid) }
func (w *watcher) remove(pid int) { w.write("-", pid) }

// write sends the process ID of a program to the shell: "+" to add it, "-" to remove it. An error
// is ignored, because it means that the shell has ended.
func (w *watcher) write(verb string, pid int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.pipe != nil {
		_, _ = fmt.Fprintf(w.pipe, "%s %d\n", verb, pid)
	}
}

// end ends the shell. It kills the shell before it closes the pipe, because the shell kills the
// programs when the pipe ends.
func (w *watcher) end() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.shell == nil {
		return
	}
	_ = w.shell.Process.Kill()
	_ = w.shell.Wait() // the error only reports that the shell was killed
	_ = w.pipe.Close()
	w.shell, w.pipe = nil, nil
}
