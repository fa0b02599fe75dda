package cassette

import "golang.org/x/sys/windows"

// systemEndCauses extends endCauses by the errors of Windows sockets. They differ from the
// constants of the same names in package syscall.
var systemEndCauses = []endCause{
	{EndReset, windows.WSAECONNRESET}, {EndReset, windows.WSAECONNABORTED},
	{EndConnectionRefused, windows.WSAECONNREFUSED},
}
