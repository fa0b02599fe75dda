package llm

import "golang.org/x/sys/windows"

// platformResets lists the errors that mean a broken connection on Windows. Their values differ
// from the constants of the same names in package syscall.
var platformResets = []error{windows.WSAECONNRESET, windows.WSAECONNABORTED, windows.WSAECONNREFUSED}
