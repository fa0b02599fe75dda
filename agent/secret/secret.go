// Package secret removes keys and passwords from written and shown texts. A Set replaces its
// secrets by "[redacted]" in any text, in JSON, and in a stream. Mask hides values by the names
// next to them.
//
// A Set finds a value unchanged, in another case, escaped as in JSON, URLs or HTML, and encoded as
// hex, base32 or base64. It also finds a piece of at least 12 bytes of a value. For an encoded
// value the piece must be at its beginning, for a URL at its beginning or end. It does not find
// shorter pieces, values that are reversed, spaced out or encrypted, and pieces of up to 20 letters
// that are whole words, such as "acme-assistant" of the key "acme-assistant-3f9a".
package secret

import (
	"encoding/base64"
	"net/url"
	"strings"
	"sync"
)

// redactedMarker replaces a secret.
const redactedMarker = "[redacted]"

// MinLength is the minimal length of a secret. Shorter values, such as the «none» or «test» that
// local servers accept, protect nothing and would match in many words.
const MinLength = 8

// Set is a set of secrets. Nil and the zero value are empty. It is safe for concurrent use.
type Set struct {
	mu     sync.RWMutex
	values map[string]bool // false: only the whole value is secret, not its pieces
	built  *index          // index of values; nil: not built
}

// NewSecrets returns a set with a key and the secrets of an address.
func NewSecrets(key, address string) *Set {
	s := &Set{}
	s.Add(key)
	s.AddURL(address)
	return s
}

// Add adds secrets in all representations, see the package comment.
func (s *Set) Add(values ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, v := range values {
		if _, ok := s.values[v]; ok || len(v) < MinLength {
			continue
		}
		if s.values == nil {
			s.values = map[string]bool{}
		}
		s.values[v], s.built = true, nil
	}
}

// AddURL adds the password of an address, or its user without a password, and the values in its
// query whose names suggest a secret. It does the same for further addresses after it, as in a
// list. References to variables are not added, see ExpandURL.
func (s *Set) AddURL(address string) {
	user, query := credentials(address)
	if user != "" {
		if password := passwordOf(user); !isReference(password) {
			s.Add(password, unescaped(password))
			s.Add(base64.StdEncoding.EncodeToString([]byte(unescaped(user)))) // as in Authorization
		}
	}
	for pair := range strings.SplitSeq(query, "&") {
		if name, value, _ := strings.Cut(pair, "="); looksSecret(name) && !isReference(value) {
			s.Add(value, unescaped(value))
		}
	}
	if _, rest, ok := strings.Cut(address, "//"); ok && strings.Contains(rest, "//") {
		s.AddURL(rest)
	}
}

func unescaped(s string) string {
	if plain, err := url.PathUnescape(s); err == nil {
		return plain
	}
	return s
}

// index returns the index for searches; nil: the set is empty.
func (s *Set) index() *index {
	if s == nil {
		return nil
	}
	s.mu.RLock()
	built, empty := s.built, len(s.values) == 0
	s.mu.RUnlock()
	if built != nil || empty {
		return built
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.built == nil {
		s.built = newIndex(s.values)
	}
	return s.built
}

// IsEmpty reports whether the set contains no secret.
func (s *Set) IsEmpty() bool { return s.index() == nil }

// Redact replaces every secret by "[redacted]".
func (s *Set) Redact(text string) string {
	ready, _ := s.index().replace(text, true)
	return ready
}

// Allow removes the secrets that public texts, such as labels, contain, because reports repeat
// these texts anyway. It returns the texts that contain a whole secret. If a text contains a piece
// of a secret, pieces of that secret are no longer replaced.
func (s *Set) Allow(public []string) (revealed []string) {
	if s == nil {
		return nil
	}
	for _, text := range public {
		begin, _, _ := s.index().find(text, 0, true)
		if begin == len(text) {
			continue
		}
		s.mu.Lock()
		whole := false
		for v := range s.values {
			single := newIndex(map[string]bool{v: false})
			if at, _, _ := single.find(text, 0, true); at < len(text) {
				delete(s.values, v)
				whole = true
				continue
			}
			single = newIndex(map[string]bool{v: true})
			if at, _, _ := single.find(text, 0, true); at < len(text) {
				s.values[v] = false
			}
		}
		s.built = nil
		s.mu.Unlock()
		if whole {
			revealed = append(revealed, text)
		}
	}
	return revealed
}
