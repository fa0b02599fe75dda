// Package secret keeps keys and passwords out of what is written and shown: a
// Set contains them and puts Marker in their place, in any text, in RedactJSON, and in
// a text that comes piece by piece. Mask hides values by the names beside them.
//
// A Set finds a value as it is, in another letter case, escaped as in RedactJSON, in an
// address or in HTML, and encoded as hex, base32 or base64. It also finds a piece
// of at least 12 bytes of the value; of an encoded value, from its beginning, and of an
// address, from its beginning or end. Not found: shorter pieces, values that are
// reversed, spaced out or encrypted, and pieces of up to 20 letters that are whole
// words, such as "acme-assistant" of the key "acme-assistant-3f9a".
package secret

import (
	"encoding/base64"
	"net/url"
	"strings"
	"sync"
)

// RedactedMarker stands where a secret stood.
const RedactedMarker = "[redacted]"

// MinLength is the length from which a value is a secret. What is shorter, such
// as the «none» or «test» that local servers are given, would be found in every
// other word, and guards nothing.
const MinLength = 8

// Set knows secrets. Nil and the zero value know none. It is safe for
// concurrent use.
type Set struct {
	mu     sync.RWMutex
	values map[string]bool // false: only the whole value, and no piece of it, is secret
	built  *index          // of values; nil: it is to be built
}

// NewSecrets is a set of a key and of what an address holds.
func NewSecrets(key, address string) *Set {
	s := &Set{}
	s.Add(key)
	s.AddURL(address)
	return s
}

// Add makes values secrets, however they are spelled: see the package.
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

// AddURL makes secrets of an address's password, or lone user, and of the
// values in its query that look like keys; also of the addresses behind it, as in
// a list. References to variables are no secrets: see ExpandURL.
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

// index returns what a text is searched with, nil where the set is empty.
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

// Redact puts Marker in the place of every secret.
func (s *Set) Redact(text string) string {
	ready, _ := s.index().replace(text, true)
	return ready
}

// Allow removes the secrets that public texts, such as labels, contain: reports repeat
// these texts anyway. It returns the texts that contain a whole secret. Of a secret of which
// they contain a piece, pieces are no longer replaced.
func (s *Set) Allow(public []string) (held []string) {
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
			alone := newIndex(map[string]bool{v: false})
			if at, _, _ := alone.find(text, 0, true); at < len(text) {
				delete(s.values, v)
				whole = true
				continue
			}
			alone = newIndex(map[string]bool{v: true})
			if at, _, _ := alone.find(text, 0, true); at < len(text) {
				s.values[v] = false
			}
		}
		s.built = nil
		s.mu.Unlock()
		if whole {
			held = append(held, text)
		}
	}
	return held
}
