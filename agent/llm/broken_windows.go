package llm

import "golang.org/x/sys/windows"

// brokenHere lists the errors of broken connections on Windows. They differ from the constants of
// the same names in package syscall.
var brokenHere = []error{windows.WSAECONNRESET, windows.WSAECONNABORTED, windows.WSAECONNREFUSED}
