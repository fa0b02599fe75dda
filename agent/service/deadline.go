package service

import (
	"errors"
	"io"
	"net/http"
)

// deadlineReader calls limit before each read. limit sets the read deadline of the connection, so
// that each read has a time limit of its own.
type deadlineReader struct {
	io.Reader
	limit func() error
}

func (d deadlineReader) Read(b []byte) (int, error) {
	if err := d.limit(); err != nil {
		return 0, err
	}
	return d.Reader.Read(b)
}

// ignoreUnsupported returns nil for http.ErrNotSupported. Connections within a process, as in
// tests, have no deadlines and no client that could stall.
func ignoreUnsupported(err error) error {
	if errors.Is(err, http.ErrNotSupported) {
		return nil
	}
	return err
}
