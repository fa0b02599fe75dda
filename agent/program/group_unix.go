//go:build unix

package program

import (
	"os/exec"
	"syscall"
)

// InGroup has a program start in a group of its own: it can be ended with all that it
// starts, and a Ctrl-C is not sent to it behind our back.
func InGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// KillGroup ends a program that was started in a group of its own, and all that is in it.
func KillGroup(cmd *exec.Cmd) {
	_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // there may be nobody left
}
