//go:build !unix && !windows

package journal

import "os"

// noFollow is not supported on this system; links are detected only by the check before opening.
const noFollow = 0

// lock does nothing: this system has no locks that end with the process.
func lock(*os.File) error { return nil }

// LocksSupported reports whether this system can detect a run directory in use.
const LocksSupported = false
