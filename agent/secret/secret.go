// Package secret keeps keys and passwords out of what is written and shown: a
// Set knows them and puts Marker in their place, in any text, in JSON, and in
// a text that comes piece by piece.
package secret

import (
	"encoding/base64"
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
	forms *known // never changed, but replaced
}

// Of is a set of a key and of what an address holds.
func Of(key, address string) *Set {
	s := &Set{}
	s.Add(key)
	s.AddURL(address)
	return s
}

// Add makes values secrets, however they are escaped or in base64.
func (s *Set) Add(values ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var list []string
	for _, v := range values {
		if len(v) >= MinLength {
			list = append(list, forms(v)...)
		}
	}
	if len(list) > 0 {
		s.forms = s.forms.with(list)
	}
}

// AddURL makes secrets of an address's password, or lone user, and of the
// values in its query that look like keys; also of the addresses behind it, as in
// a list.
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

// known is what a text is searched for.
type known struct {
	forms []string
	first [256]bool // what a form may begin with
}

func (k *known) with(values []string) *known {
	if k != nil {
		values = slices.Concat(k.forms, values)
	}
	slices.Sort(values)
	k = &known{forms: slices.Compact(values)}
	k.first['%'], k.first['\\'] = true, true
	for _, f := range k.forms {
		k.first[f[0]] = true
		k.first['+'] = k.first['+'] || f[0] == ' '
	}
	return k
}

// known may be nil: nothing is.
func (s *Set) known() *known {
	if s == nil {
		return nil
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.forms
}

// IsEmpty tells a set that knows no secret.
func (s *Set) IsEmpty() bool { return s.known() == nil }

// Replace puts Marker in the place of every secret.
func (s *Set) Replace(text string) string {
	ready, _ := s.known().replace(text, true)
	return ready
}

// replace goes through a text that is whole, or that goes on: then what may
// become a secret, or a longer one, is held.
func (k *known) replace(text string, whole bool) (ready, held string) {
	var out strings.Builder
	from := 0
	for {
		begin, end, open := k.find(text, from, whole)
		out.WriteString(text[from:begin])
		if open || begin == len(text) {
			return out.String(), text[begin:]
		}
		out.WriteString(Marker)
		from = end
	}
}

// find is where the next secret stands, the longest of those that begin there;
// the end of the text where there is none.
func (k *known) find(text string, from int, whole bool) (begin, end int, open bool) {
	if k == nil {
		return len(text), len(text), false
	}
	for i := from; i < len(text); i++ {
		if !k.first[text[i]] {
			continue
		}
		n := 0
		for _, f := range k.forms {
			if !mayBegin(text[i], f[0]) {
				continue
			}
			found, more := match(text[i:], f)
			if more && !whole {
				return i, i, true
			}
			n = max(n, found)
		}
		if n > 0 {
			return i, i + n, false
		}
	}
	return len(text), len(text), false
}
