package fleet

import (
	"errors"
	"os"
	"path/filepath"
	"time"

	"evalctl/eval/journal"
)

// workspacePattern is the name pattern of the temporary directories in which workers store the
// files of a run.
const workspacePattern = "evalctl-worker-*"

// workspace creates a locked temporary directory for the files of a run; free removes it.
func workspace() (dir string, free func(), err error) {
	dir, err = os.MkdirTemp("", workspacePattern)
	if err != nil {
		return "", nil, err
	}
	hold, err := journal.LockFile(dir)
	if err != nil {
		return "", nil, errors.Join(err, os.RemoveAll(dir))
	}
	return dir, func() { _ = os.RemoveAll(dir); _ = hold.Close() }, nil
}

// minRemovalAge is the minimum age of an unlocked directory before another worker removes it. It
// gives the owner time to lock it.
const minRemovalAge = time.Minute

// removeStaleWorkspaces removes the directories of workers that were killed. They are recognized
// because they are not locked, so it does nothing on systems without locks.
func removeStaleWorkspaces(now time.Time) {
	if !journal.LocksSupported {
		return
	}
	list, _ := filepath.Glob(filepath.Join(os.TempDir(), workspacePattern))
	for _, dir := range list {
		info, err := os.Lstat(dir)
		if err != nil || !info.IsDir() || now.Sub(info.ModTime()) < minRemovalAge {
			continue
		}
		hold, err := journal.LockFile(dir)
		if err != nil {
			continue // in use, or owned by another user
		}
		_ = os.RemoveAll(dir) // the next worker that starts tries again
		_ = hold.Close()
	}
}
