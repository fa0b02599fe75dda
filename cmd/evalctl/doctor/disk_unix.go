//go:build linux || darwin || freebsd

package doctor

import "golang.org/x/sys/unix"

// Free returns the bytes that an unprivileged user can still write to the file system of dir.
func (LocalDisk) Free(dir string) (uint64, bool, error) {
	var s unix.Statfs_t
	if err := unix.Statfs(dir, &s); err != nil {
		return 0, false, err
	}
	return uint64(s.Bavail) * uint64(s.Bsize), true, nil
}
