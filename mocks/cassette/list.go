package cassette

import (
	"fmt"
	"iter"
	"strings"
)

// Filter selects exchanges by the beginning of their key or by their case; empty: all.
type Filter string

func (p Filter) matches(c *Cassette, e entry) bool {
	return p == "" || c.names[e.who.id] == string(p) || len(p) >= minPrefix &&
		strings.HasPrefix(fmt.Sprintf("%x", e.key[:]), string(p))
}

// minPrefix is the minimum length of a key prefix.
const minPrefix = 4

// Exchanges returns the selected exchanges in file order. An error ends the iteration.
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
