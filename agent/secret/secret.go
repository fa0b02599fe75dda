// Package secret keeps keys and passwords out of what is written and shown: a
// Set knows them and puts Marker in their place, in any text, in JSON, and in
// a text that comes piece by piece.
package secret

import (
	"encoding/base64"
	"encoding/json"
	"net/url"
	"slices"
	"strings"
	"sync"
)

// Marker stands where a secret stood.
const Marker = "[secret]"

// MinLength is the length from which a value is a secret. What is shorter, such
// as the «none» or «test» that local servers are given, would be found in every
// other word, and guards nothing.
const MinLength = 8

// Set knows secrets. Nil and the zero value know none. It is safe for
// concurrent use.
type Set struct {
	mu    sync.RWMutex
	forms []string // as they may be spelt, longest first
}

// Of is a set of a key and of what an address holds.
func Of(key, address string) *Set {
	s := &Set{}
	s.Add(key)
	s.AddURL(address)
	return s
}

// Add makes values secrets, however they are escaped.
func (s *Set) Add(values ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, v := range values {
		if len(v) < MinLength {
			continue
		}
		forms := slices.Concat(s.forms, spellings(v))
		slices.SortFunc(forms, func(a, b string) int {
			if len(a) != len(b) {
				return len(b) - len(a)
			}
			return strings.Compare(a, b)
		})
		s.forms = slices.Compact(forms)
	}
}

// AddURL makes secrets of an address's password, or lone user, and of the
// values in its query that look like keys.
func (s *Set) AddURL(address string) {
	user, query := credentials(address)
	if user != "" {
		name, password, _ := strings.Cut(user, ":")
		if password == "" {
			password = name
		}
		s.Add(password, unescaped(password))
		s.Add(base64.StdEncoding.EncodeToString([]byte(unescaped(user)))) // as in Authorization
	}
	for pair := range strings.SplitSeq(query, "&") {
		if name, value, _ := strings.Cut(pair, "="); looksSecret(name) {
			s.Add(value, unescaped(value))
		}
	}
}

// spellings are how a value may be written: as it is, in JSON, in an address.
func spellings(v string) []string {
	list := []string{v, url.QueryEscape(v), url.PathEscape(v)}
	for _, escaped := range list[1:] {
		list = append(list, lowerHex(escaped))
	}
	quoted, err := json.Marshal(v)
	if err != nil {
		return list // cannot be: a string has a spelling
	}
	inner := string(quoted[1 : len(quoted)-1])
	return append(list, inner, strings.ReplaceAll(inner, "/", `\/`),
		strings.NewReplacer(`\u003c`, "<", `\u003e`, ">", `\u0026`, "&").Replace(inner))
}

// lowerHex writes %2F as %2f.
func lowerHex(s string) string {
	b := []byte(s)
	for i := 0; i+2 < len(b); i++ {
		if b[i] == '%' {
			copy(b[i+1:], strings.ToLower(string(b[i+1:i+3])))
		}
	}
	return string(b)
}

func unescaped(s string) string {
	if plain, err := url.PathUnescape(s); err == nil {
		return plain
	}
	return s
}

func (s *Set) known() []string {
	if s == nil {
		return nil
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.forms
}

// Replace puts Marker in the place of every secret.
func (s *Set) Replace(text string) string {
	forms := s.known()
	if !slices.ContainsFunc(forms, func(f string) bool { return strings.Contains(text, f) }) {
		return text
	}
	ready, _ := replace(text, forms, true)
	return ready
}

// replace goes through a text that is whole, or that goes on: then what may
// become a secret is held.
func replace(text string, forms []string, whole bool) (ready, held string) {
	var out strings.Builder
	from := 0
	for i := 0; i < len(text); {
		n := 0
		for _, f := range forms {
			rest := text[i:]
			switch {
			case rest[0] != f[0]:
			case strings.HasPrefix(rest, f):
				n = max(n, len(f))
			case !whole && n == 0 && strings.HasPrefix(f, rest):
				out.WriteString(text[from:i])
				return out.String(), rest
			}
		}
		if n == 0 {
			i++
			continue
		}
		out.WriteString(text[from:i] + Marker)
		i += n
		from = i
	}
	out.WriteString(text[from:])
	return out.String(), ""
}
