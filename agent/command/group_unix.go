//go:build unix

package command

import (
	"os/exec"
	"syscall"
)

// inGroup has a program start in a group of its own: it can be ended with all that it
// starts, and a Ctrl-C is not sent to it behind our back.
func inGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

func killGroup(cmd *exec.Cmd) {
	_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // there may be nobody left
}
