package cassette

import "golang.org/x/sys/windows"

// brokenHere are the causes on Windows, which differ from the constants of the same names in package syscall.
var brokenHere = []endCause{
	{Reset, windows.WSAECONNRESET}, {Reset, windows.WSAECONNABORTED}, {EndConnectionRefused, windows.WSAECONNREFUSED},
}
