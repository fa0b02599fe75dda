package program

import (
	"crypto/rand"
	"os"
	"os/exec"
)

// ProcessGuard starts programs and makes sure that they end with all their child processes. They
// end when Close is called, and also when this process dies without Close, even by kill -9. Create
// a Guard with NewProcessGuard. It is safe for concurrent use.
//
// On Linux it also ends child processes in other sessions. On other Unix systems it ends the
// process group if the program itself still runs. On Windows it ends the job object of each
// program. Child processes that a program creates in its first moments may not belong to the job.
//
// On Unix a second process watches the programs; it does not touch their input and output. If it
// cannot be started, the programs run without this protection.
type ProcessGuard struct {
	mark    string // NAME=value in the environment, which identifies the programs and their child processes
	watcher watcher
}

// markName is the environment variable that marks programs. Their child processes inherit it and
// are found by it.
const markName = "EVALCTL_AGENT"

// NewProcessGuard returns a guard that has not started any programs. Call Close to end its programs.
func NewProcessGuard() *ProcessGuard { return &ProcessGuard{mark: markName + "=" + rand.Text()} }

// Start starts a program in its own process group. Call Forget after cmd.Wait has returned.
func (g *ProcessGuard) Start(cmd *exec.Cmd) error {
	if cmd.Env == nil {
		cmd.Env = os.Environ()
	}
	cmd.Env = append(cmd.Env, g.mark)
	startInProcessGroup(cmd)
	g.watcher.begin(g.mark)
	if err := cmd.Start(); err != nil {
		return err
	}
	g.watcher.add(cmd.Process.Pid)
	return nil
}

// Remove removes a program from the guard. Call it after cmd.Wait: the operating system may then
// reuse the process ID for a process that must not be killed.
func (g *ProcessGuard) Remove(cmd *exec.Cmd) { g.watcher.remove(cmd.Process.Pid) }

// Close kills the programs and child processes that still run, and ends the watcher process.
func (g *ProcessGuard) Close() {
	killMarked(g.mark)
	g.watcher.end()
}
