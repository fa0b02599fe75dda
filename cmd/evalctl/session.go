package main

import (
	"crypto/rand"
	"encoding/hex"
	"errors"

	"evalctl/agent/service"
)

// newSession makes up a conversation's name, which no other process gives: a store
// that outlives them would take two of a name for one.
func newSession() string {
	var b [6]byte
	_, _ = rand.Read(b[:]) // it never fails
	return hex.EncodeToString(b[:])
}

// checkSession finds what is no name of a conversation to go on with.
func checkSession(name string, lasts bool) error {
	if name != "" && !lasts {
		return errors.New("no conversation outlives the program without a file that keeps it")
	}
	return service.CheckSession(name)
}
