package program

import (
	"crypto/rand"
	"os"
	"os/exec"
)

// Guard starts programs and ends them with all that they have started: when it is closed, and
// when this process dies without closing it, even by kill -9. On Linux that includes what they
// started in sessions of their own. On other Unix systems it is their process group while its
// first process runs, on Windows their job, which lacks what they start in their first moments.
// Use NewGuard. It is safe for concurrent use.
//
// A second process watches over the programs on Unix, and takes no part in what they read and
// write. Where it cannot be started, the programs run without it.
type Guard struct {
	mark    string // NAME=value in the environment of the programs and of all that they start
	watcher watcher
}

// markName is the variable by which what a program has started is found.
const markName = "EVALCTL_AGENT"

// NewGuard is a guard of programs, none of which is started yet. It must be closed.
func NewGuard() *Guard { return &Guard{mark: markName + "=" + rand.Text()} }

// Start starts a program in a group of its own. Ended must be called once it was waited for.
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

// Ended says that a program was waited for: its process id may be another's from now on.
func (g *Guard) Ended(cmd *exec.Cmd) { g.watcher.remove(cmd.Process.Pid) }

// Close ends what programs have left running, as far as it is found, and then the watch.
func (g *Guard) Close() {
	killMarked(g.mark)
	g.watcher.end()
}
