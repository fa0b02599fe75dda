package service

import (
	"crypto/rand"
	"fmt"
	"strings"
)

const maxSessionIDLen = 128 // maximal length of a session id in bytes

// CheckSessionID returns an error unless a session id or user name is valid in an HTTP header and as a key of a
// store.
func CheckSessionID(id string) error {
	visible := func(r rune) bool { return r > ' ' && r <= '~' }
	if len(id) > maxSessionIDLen || strings.ContainsFunc(id, func(r rune) bool { return !visible(r) }) {
		return fmt.Errorf("%s is not up to %d visible ASCII characters", quoteShort(id), maxSessionIDLen)
	}
	return nil
}

func newSessionID() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}
