package service

import (
	"errors"
	"io"
	"net/http"
)

// deadlineReader calls limit before each read, to set its deadline.
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

// ignoreUnsupported ignores that a connection has no deadlines: an in-process connection has no
// peer that could stall.
func ignoreUnsupported(err error) error {
	if errors.Is(err, http.ErrNotSupported) {
		return nil
	}
	return err
}
