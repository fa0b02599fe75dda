package exit

import "golang.org/x/sys/windows"

// diskErrors contains the errors by which Windows reports a full or failing disk.
var diskErrors = []error{
	windows.ERROR_DISK_FULL, windows.ERROR_HANDLE_DISK_FULL, windows.ERROR_DISK_QUOTA_EXCEEDED, windows.ERROR_CRC,
	windows.ERROR_WRITE_FAULT,
}
