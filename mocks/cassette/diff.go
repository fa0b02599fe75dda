package cassette

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"
)

// Change is an exchange that two cassettes do not share.
type Change struct {
	Kind    string // added, removed or changed
	Who     TrialRef
	Epoch   int
	Nth     int
	Key     string
	Request Request
	Answers string // of a changed one: how they differ
}

// place is what exchanges of two cassettes are the same by.
type place struct {
	who   TrialRef
	epoch int
	nth   int
	key   string
}

// seen is an exchange of the one cassette that the other may have.
type seen struct {
	index  int32
	answer [sha256.Size]byte
}

// Diff says what became of each exchange of one cassette in another, sorted by suite,
// case and key. Times do not count, nor do the numbers that a provider gives its answers.
func Diff(a, b *Cassette) ([]Change, error) {
	before, err := places(a)
	if err != nil {
		return nil, err
	}
	after, err := places(b)
	if err != nil {
		return nil, err
	}
	var list []Change
	add := func(kind string, p place, c *Cassette, i int32) (Exchange, error) {
		x, err := c.read(i)
		list = append(list, Change{Kind: kind, Who: p.who, Epoch: p.epoch, Nth: p.nth, Key: p.key, Request: x.Request})
		return x, err
	}
	for p, is := range after {
		was, had := before[p]
		if had && was.answer == is.answer {
			continue
		}
		kind := "added"
		if had {
			kind = "changed"
		}
		now, err := add(kind, p, b, is.index)
		if err != nil {
			return nil, err
		}
		if had {
			then, err := a.read(was.index)
			if err != nil {
				return nil, err
			}
			list[len(list)-1].Answers = between(then.Response, now.Response)
		}
	}
	for p, was := range before {
		if _, has := after[p]; !has {
			if _, err := add("removed", p, a, was.index); err != nil {
				return nil, err
			}
		}
	}
	slices.SortFunc(list, func(a, b Change) int { return cmp.Compare(a.order(), b.order()) })
	return list, nil
}

func (c Change) order() string {
	return fmt.Sprintf("%s %s %06d", c.Who.order(c.Epoch), c.Key, c.Nth)
}

// places are the exchanges of a cassette, of each place the last.
func places(c *Cassette) (map[place]seen, error) {
	all := map[place]seen{}
	for i, e := range c.entries {
		x, err := c.read(int32(i))
		if err != nil {
			return nil, err
		}
		sum := sha256.Sum256(fmt.Appendf(nil, "%d\x00%s\x00%s", x.Response.Status, x.Response.End, said(x.Response.Body())))
		all[place{who: c.askedBy(e), epoch: x.Epoch, nth: x.Nth, key: x.Key}] = seen{index: int32(i), answer: sum}
	}
	return all, nil
}

// between says how two answers differ.
func between(a, b Response) string {
	var parts []string
	if a.Status != b.Status {
		parts = append(parts, fmt.Sprintf("status is %d, and was %d", b.Status, a.Status))
	}
	if a.End != b.End {
		parts = append(parts, fmt.Sprintf("it ended %s, and before %s", b.End, a.End))
	}
	var q, o Request
	q.setBody(said(a.Body()), nil)
	o.setBody(said(b.Body()), nil)
	if text := difference(leaves(o), leaves(q)); text != "" {
		parts = append(parts, text)
	}
	return strings.Join(parts, "; ")
}
