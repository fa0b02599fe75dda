package main

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"regexp"
	"strings"

	"evalctl/agent/file"
)

// maxToken is the maximum size of a token file, in bytes.
const maxToken = 1000

// tokenPattern matches valid broker tokens. None of their characters has a special meaning in a
// URL.
var tokenPattern = regexp.MustCompile(`^[A-Za-z0-9._~-]{8,}$`)

// readToken reads a broker token from a file. It returns an error if users other than the owner of
// the file can read it.
func readToken(path string) (string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return "", err
	}
	if mode := info.Mode().Perm(); mode&0o077 != 0 && os.PathSeparator == '/' {
		return "", fmt.Errorf("%s: has mode %04o, and others can read it: make it 0600", path, mode)
	}
	text, err := file.Read(path, maxToken)
	if err != nil {
		return "", err
	}
	found := strings.TrimSpace(string(text))
	if !tokenPattern.MatchString(found) {
		return "", fmt.Errorf("%s: contains no token of at least 8 letters, digits or ._~-", path)
	}
	return found, nil
}

// ownToken returns the token of the broker from a file. If there is no file, it creates one with a
// random token.
func ownToken(path string) (string, error) {
	found, err := readToken(path)
	if !errors.Is(err, fs.ErrNotExist) {
		return found, err
	}
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails
	made := hex.EncodeToString(b[:])
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return "", err
	}
	_, err = f.WriteString(made + "\n")
	return made, errors.Join(err, f.Sync(), f.Close())
}
