// Package secret redacts keys and passwords in texts that are written or shown. A Set redacts known
// secrets in any text, in JSON and in a stream. Mask redacts unknown secrets by the names before
// them, such as api_key.
//
// A Set finds a secret in any letter case, escaped as in JSON, URLs or HTML, and encoded as hex,
// base32 or base64. It also finds parts of at least 12 bytes. A part of an encoded secret is found
// only at its beginning, a part of a URL only at its beginning or end.
//
// A Set does not find shorter parts, or secrets that are reversed, spaced out or encrypted. It does
// not redact parts of up to 20 letters that are ordinary words, such as "acme-assistant" of the key
// "acme-assistant-3f9a".
package secret

import (
	"encoding/base64"
	"net/url"
	"strings"
	"sync"
)

const redactedMarker = "[redacted]"

// MinLength is the minimal length of a secret, in bytes. Shorter values, such as "none" or "test"
// for local servers, protect nothing and would match in many words.
const MinLength = 8

// Set is a set of secrets to redact. A nil Set and the zero value contain none. It is safe for
// concurrent use.
type Set struct {
	mu     sync.RWMutex
	values map[string]bool // the secrets; true: parts of the secret are redacted, too
	built  *index          // search index of values; nil: not built yet
}

// NewSet returns a set with a key and the secrets in a URL, see AddFromURL.
func NewSet(key, address string) *Set {
	s := &Set{}
	s.Add(key)
	s.AddFromURL(address)
	return s
}

// Add adds secrets. The set finds them in all representations that the package comment lists.
// Values shorter than MinLength are ignored.
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

// AddFromURL adds the secrets in an address: its password (or its user, if there is no password), the
// query values whose names suggest a secret, and the parts that have the shape of a key. The text may
// contain several addresses. References to variables such as $KEY are not added; ExpandEnvInURL
// replaces them.
func (s *Set) AddFromURL(address string) {
	for _, part := range secretParts(address) {
		if value := address[part.begin:part.end]; looksSecret(unescaped(value)) {
			s.Add(value, unescaped(value))
		}
	}
	s.addCredentials(address)
}

// addCredentials adds the passwords of the addresses in a text, and the query values whose names
// suggest a secret.
func (s *Set) addCredentials(address string) {
	user, query := credentials(address)
	if user != "" {
		if password := passwordOf(user); !isReference(password) {
			s.Add(password, unescaped(password))
			// as the secret appears in an Authorization header
			s.Add(base64.StdEncoding.EncodeToString([]byte(unescaped(user))))
		}
	}
	for pair := range strings.SplitSeq(query, "&") {
		if name, value, _ := strings.Cut(pair, "="); isSecretParameter(name) && !isReference(value) {
			s.Add(value, unescaped(value))
		}
	}
	if _, rest, ok := strings.Cut(address, "//"); ok && strings.Contains(rest, "//") {
		s.addCredentials(rest)
	}
}

func unescaped(s string) string {
	if plain, err := url.PathUnescape(s); err == nil {
		return plain
	}
	return s
}

// index returns the search index of the set, and builds it if necessary; nil: the set is empty.
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

// Redact returns the text with each secret replaced by [redacted].
func (s *Set) Redact(text string) string {
	ready, _ := s.index().replace(text, true)
	return ready
}

// RemovePublic removes secrets that also occur in public texts such as labels, because reports show
// these texts anyway. If a public text contains only a part of a secret, the secret remains, but
// its parts are no longer redacted. RemovePublic returns the texts that contain a whole secret.
func (s *Set) RemovePublic(public []string) (revealed []string) {
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
