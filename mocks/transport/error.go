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

// transportError is what a client sees of a handler that panicked: a reset
// where it meant to, else a connection that just ended, before or after the
// headers. The text says more than a socket would, for whoever has to mend it.
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
