package cassette

import (
	"errors"
	"io"
	"net"
	"os"
	"slices"
	"syscall"
)

// End is the way an answer ended.
type End string

const (
	EndComplete          End = "complete"
	EndClientCanceled    End = "client_canceled" // the client did not wait for the rest
	Reset                End = "reset"           // the connection was reset
	EndConnectionRefused End = "connection_refused"
	EndTruncated         End = "truncated"         // the body was shorter than announced
	EndConnectionClosed  End = "connection_closed" // the connection ended before an answer began
	EndTimeout           End = "timeout"           // a layer below the request timed out
	EndError             End = "error"             // any other reason; see Response.Error
)

// endCause is an end and an error that causes it.
type endCause struct {
	end   End
	cause error
}

// endCauses lists the errors that cause each end.
var endCauses = []endCause{
	{Reset, syscall.ECONNRESET}, {Reset, syscall.EPIPE}, {Reset, syscall.ECONNABORTED}, {Reset, net.ErrClosed},
	{EndConnectionRefused, syscall.ECONNREFUSED}, {EndTruncated, io.ErrUnexpectedEOF}, {EndConnectionClosed, io.EOF},
	{EndTimeout, os.ErrDeadlineExceeded},
}

// endOf returns the end that an error means for the client.
func endOf(err error) End {
	var timeout interface{ Timeout() bool }
	if errors.As(err, &timeout) && timeout.Timeout() {
		return EndTimeout
	}
	for _, b := range append(slices.Clip(endCauses), systemEndCauses...) {
		if errors.Is(err, b.cause) {
			return b.end
		}
	}
	return EndError
}

// failure is a recorded error.
type failure struct {
	text  string
	cause error // nil: only the text is known
}

func (f *failure) Error() string { return f.text }
func (f *failure) Unwrap() error { return f.cause }

// err returns the error at the end of the recorded answer; nil: the answer is complete.
func (r Response) err() error {
	if r.End == EndComplete {
		return nil
	}
	f := &failure{text: r.Error}
	for _, b := range endCauses {
		if b.end == r.End {
			f.cause = b.cause
			break
		}
	}
	return f
}

// isKnown reports whether this version writes the end.
func (e End) isKnown() bool {
	switch e {
	case EndComplete, EndClientCanceled, Reset, EndConnectionRefused, EndTruncated, EndConnectionClosed,
		EndTimeout, EndError:
		return true
	}
	return false
}
