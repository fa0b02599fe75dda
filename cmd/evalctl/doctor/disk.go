package doctor

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// Limits of free space, in bytes: below minFree a run probably fails, below enoughFree it may
// fail soon.
const (
	minFree    = 64 << 20
	enoughFree = 1 << 30
)

// Disk reads the state of directories.
type Disk interface {
	// Free returns the free bytes. ok is false if the system does not report them.
	Free(dir string) (free uint64, ok bool, err error)
	// Write creates and removes a test file.
	Write(dir string) error
}

// Machine is the local disk.
type Machine struct{}

var _ Disk = Machine{}

// Write implements Disk.
func (Machine) Write(dir string) error {
	f, err := os.CreateTemp(dir, ".evalctl-*")
	if err != nil {
		return err
	}
	_, err = f.Write([]byte("evalctl"))
	return errors.Join(err, f.Close(), os.Remove(f.Name()))
}

// Space checks the directory for runs, or its nearest existing parent.
func Space(d Disk, dir string) Finding {
	at := nearestExisting(dir)
	if err := d.Write(at); err != nil {
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

// nearestExisting returns the directory or its nearest existing parent.
func nearestExisting(dir string) string {
	for {
		if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) || dir == filepath.Dir(dir) {
			return dir
		}
		dir = filepath.Dir(dir)
	}
}

// withoutPath removes the name of a temporary file from an error.
func withoutPath(err error) error {
	var at *fs.PathError
	if errors.As(err, &at) {
		return at.Err
	}
	return err
}
