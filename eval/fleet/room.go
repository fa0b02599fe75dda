package fleet

import (
	"errors"
	"os"
	"path/filepath"
	"time"

	"evalctl/eval/journal"
)

// rooms are the folders in which workers keep the files of a run.
const rooms = "evalctl-worker-*"

// workspace is a folder that is locked until it is freed, which removes it.
func workspace() (dir string, free func(), err error) {
	dir, err = os.MkdirTemp("", rooms)
	if err != nil {
		return "", nil, err
	}
	hold, err := journal.LockFile(dir)
	if err != nil {
		return "", nil, errors.Join(err, os.RemoveAll(dir))
	}
	return dir, func() { _ = os.RemoveAll(dir); _ = hold.Close() }, nil
}

// settled is how old a folder is whose worker has locked it by now.
const settled = time.Minute

// clearRooms removes the folders of workers that were killed: no lock is on them. Where
// there are no locks, nobody knows which these are.
func clearRooms(now time.Time) {
	if !journal.LocksSupported {
		return
	}
	list, _ := filepath.Glob(filepath.Join(os.TempDir(), rooms))
	for _, dir := range list {
		info, err := os.Lstat(dir)
		if err != nil || !info.IsDir() || now.Sub(info.ModTime()) < settled {
			continue
		}
		hold, err := journal.LockFile(dir)
		if err != nil {
			continue // it is in use, or of another user
		}
		_ = os.RemoveAll(dir) // the next that starts tries again
		_ = hold.Close()
	}
}
