package exit

import "golang.org/x/sys/windows"

// diskErrors are the errors of a full or failing disk on Windows.
var diskErrors = []error{
	windows.ERROR_DISK_FULL, windows.ERROR_HANDLE_DISK_FULL, windows.ERROR_DISK_QUOTA_EXCEEDED, windows.ERROR_CRC,
	windows.ERROR_WRITE_FAULT,
}
