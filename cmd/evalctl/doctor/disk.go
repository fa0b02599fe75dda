package doctor

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// Free space under which a run is likely to end, or soon will.
const (
	leastFree  = 64 << 20
	enoughFree = 1 << 30
)

// Disk tells of folders.
type Disk interface {
	// Free is how many bytes one may still write there; ok is false where the system
	// does not say.
	Free(dir string) (free uint64, ok bool, err error)
	// Write tries to write a file there, and leaves none.
	Write(dir string) error
}

// Machine is the disk of this machine.
type Machine struct{}

var _ Disk = Machine{}

// Write is part of Disk.
func (Machine) Write(dir string) error {
	f, err := os.CreateTemp(dir, ".evalctl-*")
	if err != nil {
		return err
	}
	_, err = f.Write([]byte("evalctl"))
	return errors.Join(err, f.Close(), os.Remove(f.Name()))
}

// Space checks the folder that runs are kept in or, where it is not there yet, the one
// that it would be made in.
func Space(d Disk, dir string) Finding {
	at := existing(dir)
	if err := d.Write(at); err != nil {
		return found("disk", StatusFailed, "nothing can be written to %s: %v", at, bare(err))
	}
	free, ok, err := d.Free(at)
	switch {
	case err != nil:
		return found("disk", StatusWarning, "%s can be written to; the free space is unknown: %v", at, bare(err))
	case !ok:
		return found("disk", StatusOK, "%s can be written to", at)
	case free < leastFree:
		return found("disk", StatusFailed, "%s has %d MiB left", at, free>>20)
	case free < enoughFree:
		return found("disk", StatusWarning, "%s has %d MiB left", at, free>>20)
	}
	return found("disk", StatusOK, "%s has %d GiB left", at, free>>30)
}

// existing is the folder, or the nearest one above it that is there.
func existing(dir string) string {
	for {
		if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) || dir == filepath.Dir(dir) {
			return dir
		}
		dir = filepath.Dir(dir)
	}
}

// bare is an error without the name of a file that nobody knows.
func bare(err error) error {
	var at *fs.PathError
	if errors.As(err, &at) {
		return at.Err
	}
	return err
}
