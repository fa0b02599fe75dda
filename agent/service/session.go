package service

import (
	"crypto/rand"
	"fmt"
	"strings"
)

const maxSession = 128 // bytes

// CheckSession checks that a session id is valid in a header and as a key of a store.
func CheckSession(id string) error {
	visible := func(r rune) bool { return r > ' ' && r <= '~' }
	if len(id) > maxSession || strings.ContainsFunc(id, func(r rune) bool { return !visible(r) }) {
		return fmt.Errorf("%s is not up to %d visible ASCII characters", quoteShort(id), maxSession)
	}
	return nil
}

// newSession returns a new session id, a random UUID.
func newSession() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}
