package cassette

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"
)

// ExchangeDiff is one difference between two cassettes: a recorded exchange that was added, removed
// or changed.
type ExchangeDiff struct {
	Kind       string   // "added", "removed" or "changed"
	Trial      TrialRef // trial and component that sent the request
	Epoch      int      // epoch of the trial, from 1; 0: before the first trial
	Occurrence int      // number among the identical requests of the trial and component, from 1
	Key        string   // hash of the request and the epoch, in hex
	Request    Request
	AnswerDiff string // for a changed exchange: a description of how the answers differ; otherwise empty
}

// exchangeKey identifies the same exchange in two cassettes.
type exchangeKey struct {
	who   TrialRef
	epoch int
	nth   int
	key   string
}

// indexedAnswer is a recorded exchange, given by its index in the cassette and the hash of its
// normalized answer.
type indexedAnswer struct {
	index  int32
	answer [sha256.Size]byte
}

// Diff compares two cassettes and returns the changes from a to b, sorted by suite, case and key.
// Times and the ids that providers generate are ignored.
func Diff(a, b *Cassette) ([]ExchangeDiff, error) {
	before, err := indexByKey(a)
	if err != nil {
		return nil, err
	}
	after, err := indexByKey(b)
	if err != nil {
		return nil, err
	}
	var list []ExchangeDiff
	add := func(kind string, p exchangeKey, c *Cassette, i int32) (Exchange, error) {
		x, err := c.read(i)
		list = append(list, ExchangeDiff{
			Kind:       kind,
			Trial:      p.who,
			Epoch:      p.epoch,
			Occurrence: p.nth,
			Key:        p.key,
			Request:    x.Request,
		})
		return x, err
	}
	for p, current := range after {
		old, wasPresent := before[p]
		if wasPresent && old.answer == current.answer {
			continue
		}
		kind := "added"
		if wasPresent {
			kind = "changed"
		}
		newExchange, err := add(kind, p, b, current.index)
		if err != nil {
			return nil, err
		}
		if wasPresent {
			oldExchange, err := a.read(old.index)
			if err != nil {
				return nil, err
			}
			list[len(list)-1].AnswerDiff = describeAnswerChange(oldExchange.Response, newExchange.Response)
		}
	}
	for p, old := range before {
		if _, isPresent := after[p]; !isPresent {
			if _, err := add("removed", p, a, old.index); err != nil {
				return nil, err
			}
		}
	}
	slices.SortFunc(list, func(a, b ExchangeDiff) int { return cmp.Compare(a.order(), b.order()) })
	return list, nil
}

func (c ExchangeDiff) order() string {
	return fmt.Sprintf("%s %s %06d", c.Trial.order(c.Epoch), c.Key, c.Occurrence)
}

// indexByKey returns the exchanges of a cassette by exchangeKey. If an exchange was recorded
// several times, the last recording counts.
func indexByKey(c *Cassette) (map[exchangeKey]indexedAnswer, error) {
	all := map[exchangeKey]indexedAnswer{}
	for i, e := range c.entries {
		x, err := c.read(int32(i))
		if err != nil {
			return nil, err
		}
		sum := sha256.Sum256(fmt.Appendf(nil, "%d\x00%s\x00%s", x.Response.Status, x.Response.End,
			normalizeResponse(x.Response.Body())))
		all[exchangeKey{
			who:   c.trialOf(e),
			epoch: x.Epoch,
			nth:   x.Occurrence,
			key:   x.Key,
		}] = indexedAnswer{index: int32(i), answer: sum}
	}
	return all, nil
}

// describeAnswerChange describes how two answers to the same request differ: status, end or
// content.
func describeAnswerChange(a, b Response) string {
	var parts []string
	if a.Status != b.Status {
		parts = append(parts, fmt.Sprintf("status is %d, and was %d", b.Status, a.Status))
	}
	if a.End != b.End {
		parts = append(parts, fmt.Sprintf("it ended %s, and before %s", b.End, a.End))
	}
	var q, o Request
	q.setBody(normalizeResponse(a.Body()), nil)
	o.setBody(normalizeResponse(b.Body()), nil)
	if text := difference(flatten(o), flatten(q)); text != "" {
		parts = append(parts, text)
	}
	return strings.Join(parts, "; ")
}
