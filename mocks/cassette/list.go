package cassette

import (
	"fmt"
	"iter"
	"strings"
)

// Filter says which exchanges are wanted: those whose key begins with it, or whose case it
// is; "": all.
type Filter string

func (p Filter) takes(c *Cassette, e entry) bool {
	return p == "" || c.names[e.who.id] == string(p) || len(p) >= minPrefix && strings.HasPrefix(fmt.Sprintf("%x", e.key[:]), string(p))
}

// minPrefix is the least that is taken for the beginning of a key.
const minPrefix = 4

// Exchanges are the exchanges that are picked, in the order of the file. An error is of one, and
// ends them.
func (c *Cassette) Exchanges(p Filter) iter.Seq2[Exchange, error] {
	return func(yield func(Exchange, error) bool) {
		for i, e := range c.entries {
			if !p.takes(c, e) {
				continue
			}
			if x, err := c.read(int32(i)); !yield(x, err) || err != nil {
				return
			}
		}
	}
}
