//go:build unix

package program

import (
	"os/exec"
	"syscall"
)

// startInProcessGroup makes cmd start in its own process group. The program can then be killed with
// its child processes, and Ctrl-C in the terminal does not reach it.
func startInProcessGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// KillProcessGroup kills a program and all processes of its group. The program must have been
// started by Guard.Start.
func KillProcessGroup(cmd *exec.Cmd) {
	_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // an error means that the group is empty
}
