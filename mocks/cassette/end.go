package cassette

import (
	"errors"
	"io"
	"net"
	"os"
	"slices"
	"syscall"
)

// End is how an answer ended.
type End string

// The ends.
const (
	EndComplete          End = "complete"
	EndClientCanceled    End = "client_canceled"    // who asked did not wait for the rest
	Reset                End = "reset"              // the connection broke
	EndConnectionRefused End = "connection_refused" // it was not taken
	EndTruncated         End = "truncated"          // the body was shorter than it was said to be
	EndConnectionClosed  End = "connection_closed"  // the connection ended before an answer began
	EndTimeout           End = "timeout"            // something below the request ran out of time
	EndError             End = "error"              // for another reason, which stands beside it
)

// endCause is an end, and the error that leads to it.
type endCause struct {
	end   End
	cause error
}

// broken are the ends that an error stands for.
var broken = []endCause{
	{Reset, syscall.ECONNRESET}, {Reset, syscall.EPIPE}, {Reset, syscall.ECONNABORTED}, {Reset, net.ErrClosed},
	{EndConnectionRefused, syscall.ECONNREFUSED}, {EndTruncated, io.ErrUnexpectedEOF}, {EndConnectionClosed, io.EOF}, {EndTimeout, os.ErrDeadlineExceeded},
}

// endOf tells an error by what it is to its client.
func endOf(err error) End {
	var timeout interface{ Timeout() bool }
	if errors.As(err, &timeout) && timeout.Timeout() {
		return EndTimeout
	}
	for _, b := range append(slices.Clip(broken), brokenHere...) {
		if errors.Is(err, b.cause) {
			return b.end
		}
	}
	return EndError
}

// failure is an error as it was met when it was recorded.
type failure struct {
	text  string
	cause error // nil: only the text is known
}

func (f *failure) Error() string { return f.text }
func (f *failure) Unwrap() error { return f.cause }

// err is what a client meets at the end of what was recorded, nil behind a whole answer.
func (r Response) err() error {
	if r.End == EndComplete {
		return nil
	}
	f := &failure{text: r.Error}
	for _, b := range broken {
		if b.end == r.End {
			f.cause = b.cause
			break
		}
	}
	return f
}

// isKnown tells an end that this version writes.
func (e End) isKnown() bool {
	switch e {
	case EndComplete, EndClientCanceled, Reset, EndConnectionRefused, EndTruncated, EndConnectionClosed, EndTimeout, EndError:
		return true
	}
	return false
}
