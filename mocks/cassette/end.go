package cassette

import (
	"errors"
	"io"
	"net"
	"os"
	"slices"
	"syscall"
)

// EndReason is how a recorded answer ended: complete, or by a kind of error. A replay ends in the
// same way.
type EndReason string

const (
	EndComplete          EndReason = "complete"           // the whole answer was received
	EndClientCanceled    EndReason = "client_canceled"    // the client closed the answer before its end
	EndReset             EndReason = "reset"              // the connection was reset
	EndConnectionRefused EndReason = "connection_refused" // no connection was possible
	EndTruncated         EndReason = "truncated"          // the body was shorter than announced
	EndConnectionClosed  EndReason = "connection_closed"  // the connection was closed before an answer began
	EndTimeout           EndReason = "timeout"            // a timeout below the HTTP layer, such as a read deadline
	EndError             EndReason = "error"              // any other error; Response.Error has its text
)

// endCause is an End together with a Go error that leads to it.
type endCause struct {
	end   EndReason
	cause error
}

// endCauses maps Go errors to Ends when recording, and back when replaying.
var endCauses = []endCause{
	{EndReset, syscall.ECONNRESET}, {EndReset, syscall.EPIPE}, {EndReset, syscall.ECONNABORTED},
	{EndReset, net.ErrClosed},
	{EndConnectionRefused, syscall.ECONNREFUSED}, {EndTruncated, io.ErrUnexpectedEOF}, {EndConnectionClosed, io.EOF},
	{EndTimeout, os.ErrDeadlineExceeded},
}

// endOf returns the End for an error of the HTTP client.
func endOf(err error) EndReason {
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

// failure is the recorded error that a replay returns again.
type failure struct {
	text  string
	cause error // the Go error for errors.Is; nil: only the text is known
}

func (f *failure) Error() string { return f.text }
func (f *failure) Unwrap() error { return f.cause }

// err returns the error with which the recorded answer ended; nil: the answer is complete.
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

// isKnown reports whether e is one of the constants above. Load rejects other values.
func (e EndReason) isKnown() bool {
	switch e {
	case EndComplete, EndClientCanceled, EndReset, EndConnectionRefused, EndTruncated, EndConnectionClosed,
		EndTimeout, EndError:
		return true
	}
	return false
}
