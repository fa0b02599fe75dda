//go:build !unix && !windows

package cassette

import "os"

// lock does nothing on systems without file locks.
func lock(*os.File) error { return nil }
