//go:build !unix

package program

import "os/exec"

// startInProcessGroup does nothing, because this operating system has no process groups.
func startInProcessGroup(*exec.Cmd) {}

// KillProcessGroup kills only the program itself, because this operating system has no process
// groups.
func KillProcessGroup(cmd *exec.Cmd) { _ = cmd.Process.Kill() }
