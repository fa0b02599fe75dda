package service

import (
	"errors"
	"io"
	"net/http"
)

// deadlined calls limit before each read, to set its deadline.
type deadlined struct {
	io.Reader
	limit func() error
}

func (d deadlined) Read(b []byte) (int, error) {
	if err := d.limit(); err != nil {
		return 0, err
	}
	return d.Reader.Read(b)
}

// supported ignores that a connection has no deadlines: an in-process connection has no peer that
// could stall.
func supported(err error) error {
	if errors.Is(err, http.ErrNotSupported) {
		return nil
	}
	return err
}
