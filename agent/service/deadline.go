package service

import (
	"errors"
	"io"
	"net/http"
)

// deadlineReader calls limit before each read. limit sets the read deadline of the connection, so
// that each read has its own time limit.
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

// ignoreUnsupported returns nil for http.ErrNotSupported, and other errors unchanged. Connections
// within a process, as in tests, support no deadlines and cannot stall.
func ignoreUnsupported(err error) error {
	if errors.Is(err, http.ErrNotSupported) {
		return nil
	}
	return err
}
