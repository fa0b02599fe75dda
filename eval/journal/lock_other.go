//go:build !unix && !windows

package journal

import "os"

// noFollow is left to the look before the open.
const noFollow = 0

// lock does nothing where the system has no locks that go with the process.
func lock(*os.File) error { return nil }

// Locks tells that a folder which another process holds is not known here.
const LocksSupported = false
