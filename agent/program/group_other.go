//go:build !unix

package program

import "os/exec"

// startInProcessGroup does nothing where the system has no groups.
func startInProcessGroup(*exec.Cmd) {}

// KillProcessGroup ends the program alone.
func KillProcessGroup(cmd *exec.Cmd) { _ = cmd.Process.Kill() }
