//go:build unix

package program

import (
	"os/exec"
	"syscall"
)

// startInProcessGroup has a program start in a group of its own: it can be ended with all that it
// starts, and a Ctrl-C is not sent to it behind our back.
func startInProcessGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// KillProcessGroup ends a program that was started in a group of its own, and all that is in it.
func KillProcessGroup(cmd *exec.Cmd) {
	_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // there may be nobody left
}
