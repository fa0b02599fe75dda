//go:build !unix && !windows

package cassette

import "os"

// lock does nothing where the system has no locks that go with the file.
func lock(*os.File) error { return nil }
