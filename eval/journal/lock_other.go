//go:build !unix && !windows

package journal

import "os"

// noFollow is not supported; the check before the open must suffice.
const noFollow = 0

// lock does nothing on systems without locks that end with the process.
func lock(*os.File) error { return nil }

// LocksSupported reports whether a directory in use by another process is detected.
const LocksSupported = false
