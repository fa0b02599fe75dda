package doctor

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// minFree and enoughFree are limits of free disk space, in bytes. With less than minFree, a run
// probably fails, so the check fails. With less than enoughFree, the check gives a warning.
const (
	minFree    = 64 << 20
	enoughFree = 1 << 30
)

// Disk provides what the check of free disk space needs. Tests replace it.
type Disk interface {
	// Free returns the free space of a directory, in bytes. ok is false if the operating system
	// does not report it.
	Free(dir string) (free uint64, ok bool, err error)
	// CheckWritable checks that files can be written to a directory: it creates a test file and
	// removes it.
	CheckWritable(dir string) error
}

// LocalDisk implements Disk with the file system of this computer.
type LocalDisk struct{}

var _ Disk = LocalDisk{}

// CheckWritable creates a test file in the directory, writes to it and removes it.
func (LocalDisk) CheckWritable(dir string) error {
	f, err := os.CreateTemp(dir, ".evalctl-*")
	if err != nil {
		return err
	}
	_, err = f.Write([]byte("evalctl"))
	return errors.Join(err, f.Close(), os.Remove(f.Name()))
}

// CheckSpace checks that the directory for runs is writable and has enough free space. If the
// directory does not exist yet, it checks the nearest existing parent.
func CheckSpace(d Disk, dir string) Finding {
	at := nearestExisting(dir)
	if err := d.CheckWritable(at); err != nil {
		return newFinding("disk", StatusFailed, "nothing can be written to %s: %v", at, withoutPath(err))
	}
	free, ok, err := d.Free(at)
	switch {
	case err != nil:
		return newFinding("disk", StatusWarning, "%s can be written to; the free space is unknown: %v",
			at, withoutPath(err))
	case !ok:
		return newFinding("disk", StatusOK, "%s can be written to", at)
	case free < minFree:
		return newFinding("disk", StatusFailed, "%s has %d MiB left", at, free>>20)
	case free < enoughFree:
		return newFinding("disk", StatusWarning, "%s has %d MiB left", at, free>>20)
	}
	return newFinding("disk", StatusOK, "%s has %d GiB left", at, free>>30)
}

func nearestExisting(dir string) string {
	for {
		if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) || dir == filepath.Dir(dir) {
			return dir
		}
		dir = filepath.Dir(dir)
	}
}

// withoutPath removes the path of the test file from an error, because the user does not know that
// file.
func withoutPath(err error) error {
	var at *fs.PathError
	if errors.As(err, &at) {
		return at.Err
	}
	return err
}
