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

// transportError returns the client's error for a handler that panicked: a reset for
// http.ErrAbortHandler, else an ended connection before or after the headers. The message contains
// the panic, to help debugging.
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
