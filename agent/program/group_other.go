//go:build !unix

package program

import "os/exec"

// InGroup does nothing where the system has no groups.
func InGroup(*exec.Cmd) {}

// KillGroup ends the program alone.
func KillGroup(cmd *exec.Cmd) { _ = cmd.Process.Kill() }
