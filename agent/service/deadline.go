package service

import (
	"errors"
	"io"
	"net/http"
)

// deadlined sets before each read how long it may take.
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

// supported passes over that a connection knows no deadlines: one in process
// has no peer that could stall.
func supported(err error) error {
	if errors.Is(err, http.ErrNotSupported) {
		return nil
	}
	return err
}
