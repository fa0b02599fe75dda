package terminal

import (
	"os"

	"golang.org/x/sys/windows"
)

// supportsEscapes enables escape sequences in the Windows console of f, if it supports them.
func supportsEscapes(f *os.File) bool {
	var mode uint32
	console := windows.Handle(f.Fd())
	if windows.GetConsoleMode(console, &mode) != nil {
		return false
	}
	return windows.SetConsoleMode(console, mode|windows.ENABLE_VIRTUAL_TERMINAL_PROCESSING) == nil
}
