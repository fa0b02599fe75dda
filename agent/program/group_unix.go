//go:build unix

package program

import (
	"os/exec"
	"syscall"
)

// startInProcessGroup starts a program in its own process group. It can be killed with its child
// processes, and it does not receive Ctrl-C from the terminal.
func startInProcessGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// KillProcessGroup kills a program that was started in its own process group, and the whole group.
func KillProcessGroup(cmd *exec.Cmd) {
	_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // the group may be empty
}
