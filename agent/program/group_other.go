//go:build !unix

package program

import "os/exec"

// startInProcessGroup does nothing, because the system has no process groups.
func startInProcessGroup(*exec.Cmd) {}

// KillProcessGroup kills only the program.
func KillProcessGroup(cmd *exec.Cmd) { _ = cmd.Process.Kill() }
