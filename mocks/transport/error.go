package transport

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"syscall"

	"evalctl/agent/clock"
)

// transportError returns the error that a client gets if the handler panics. http.ErrAbortHandler
// is a connection reset. Any other panic is a connection that ended before or after the headers;
// its message contains the panic, for debugging.
func transportError(err error, afterHeader bool) error {
	var p *clock.PanicError
	if errors.As(err, &p) && p.Value == http.ErrAbortHandler {
		return &net.OpError{Op: "read", Net: "tcp", Err: os.NewSyscallError("read", syscall.ECONNRESET)}
	}
	if afterHeader {
		return fmt.Errorf("%w (%v)", io.ErrUnexpectedEOF, err)
	}
	return fmt.Errorf("%w (%v)", io.EOF, err)
}
