//go:build !(linux || darwin || freebsd || windows)

package doctor

// Free returns ok = false: evalctl cannot read the free space on this operating system.
func (LocalDisk) Free(string) (uint64, bool, error) { return 0, false, nil }
