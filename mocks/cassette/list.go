package cassette

import (
	"fmt"
	"iter"
	"strings"
)

// Filter selects exchanges of a cassette: by a case id, or by the first characters of their key (at
// least 4); empty: all.
type Filter string

func (p Filter) matches(c *Cassette, e entry) bool {
	return p == "" || c.names[e.who.id] == string(p) || len(p) >= minPrefix &&
		strings.HasPrefix(fmt.Sprintf("%x", e.key[:]), string(p))
}

// minPrefix is the minimum length, in hex digits, of a key prefix in a Filter.
const minPrefix = 4

// Exchanges returns the exchanges that the filter selects, in file order. Iteration ends after the
// first error.
func (c *Cassette) Exchanges(p Filter) iter.Seq2[Exchange, error] {
	return func(yield func(Exchange, error) bool) {
		for i, e := range c.entries {
			if !p.matches(c, e) {
				continue
			}
			if x, err := c.read(int32(i)); !yield(x, err) || err != nil {
				return
			}
		}
	}
}
