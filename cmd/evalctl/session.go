package main

import (
	"crypto/rand"
	"encoding/hex"
	"errors"

	"evalctl/agent/service"
)

// newSession returns a random name for a conversation. It must be unique across processes, because
// a persistent store identifies conversations by name.
func newSession() string {
	var b [6]byte
	_, _ = rand.Read(b[:]) // never fails
	return hex.EncodeToString(b[:])
}

// checkSession returns an error if the name of a conversation is invalid. It also returns one for a
// name that is given although conversations are not stored permanently (lasts).
func checkSession(name string, lasts bool) error {
	if name != "" && !lasts {
		return errors.New("no conversation outlives the program without a file that keeps it")
	}
	return service.CheckSessionID(name)
}
