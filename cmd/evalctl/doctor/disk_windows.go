package doctor

import "golang.org/x/sys/windows"

// Free returns the bytes that the current user can still write to the volume of dir.
func (LocalDisk) Free(dir string) (uint64, bool, error) {
	name, err := windows.UTF16PtrFromString(dir)
	if err != nil {
		return 0, false, err
	}
	var free uint64
	if err := windows.GetDiskFreeSpaceEx(name, &free, nil, nil); err != nil {
		return 0, false, err
	}
	return free, true, nil
}
