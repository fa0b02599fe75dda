package program

import (
	"crypto/rand"
	"os"
	"os/exec"
)

// Guard starts programs and ends them with all their child processes: when it is closed, and when
// this process dies without closing it, even by kill -9. On Linux this includes child processes in
// other sessions. On other Unix systems it covers the process group while its first process runs.
// On Windows it covers their job, without child processes started in the first moments. Use
// NewGuard. It is safe for concurrent use.
//
// On Unix a second process watches the programs; it does not touch their input and output. If it
// cannot be started, the programs run without it.
type Guard struct {
	mark    string // NAME=value in the environment of the programs and their child processes
	watcher watcher
}

// markName is the variable that identifies the child processes of programs.
const markName = "EVALCTL_AGENT"

// NewGuard returns a guard without programs. It must be closed.
func NewGuard() *Guard { return &Guard{mark: markName + "=" + rand.Text()} }

// Start starts a program in its own process group. Ended must be called after Wait.
func (g *Guard) Start(cmd *exec.Cmd) error {
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

// Ended records that Wait has returned: the process id may be reused from now on.
func (g *Guard) Ended(cmd *exec.Cmd) { g.watcher.remove(cmd.Process.Pid) }

// Close kills the remaining child processes that can be found, and then ends the watcher.
func (g *Guard) Close() {
	killMarked(g.mark)
	g.watcher.end()
}
