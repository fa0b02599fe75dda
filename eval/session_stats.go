package eval

import (
	"cmp"
	"encoding/json"
	"slices"
	"time"

	"evalctl/agent/trace"
)

// CacheStats counts what was looked up in a cache, and what went wrong with the cache. A
// question that a turn has asked already, which is a hit with a reason, is no look-up.
type CacheStats struct {
	Hits   int64 `json:"hits"`
	Misses int64 `json:"misses"`
	Errors int64 `json:"errors,omitempty"` // look-ups and stores that failed; whose look-up did is a miss besides
}

// add leaves out an answer that is used once more, for which nothing was looked up.
func (l *CacheStats) add(e trace.Event) {
	switch {
	case e.Kind == trace.KindCacheHit && e.Reason == "":
		l.Hits++
	case e.Kind == trace.KindCacheMiss:
		l.Misses++
	case e.Kind == trace.KindCacheError:
		l.Errors++
	}
}

// Compression is how long a session's history was before it was compressed, and how
// long after, in tokens.
type Compression struct {
	Turn         int   `json:"turn"` // from 1
	TokensBefore int64 `json:"tokens_before"`
	TokensAfter  int64 `json:"tokens_after"`
}

// ParseCompression reads what an event of that kind tells, false where it is another or tells
// nothing.
func ParseCompression(e trace.Event) (c trace.Compression, ok bool) {
	if e.Kind != trace.KindCompression {
		return c, false
	}
	var told trace.Compression
	if json.Unmarshal(e.Data, &told) != nil {
		return c, false
	}
	return told, told.TokensBefore > 0 && told.TokensAfter >= 0
}

// peak is how many calls under some nodes were under way at once at most in a turn. One
// that ends when another starts was not under way with it; one that took no time was,
// alone.
func peak(nodes []string, events []trace.Event) (most int64) {
	type change struct {
		at time.Duration
		by int64
	}
	var list []change
	for _, e := range events {
		if e.Kind != trace.KindSpan || e.Span == nil || e.Span.External || !slices.Contains(nodes, e.Node) {
			continue
		}
		most = max(most, 1)
		if e.Span.Duration > 0 {
			list = append(list, change{at: e.Span.Start, by: 1}, change{at: e.Span.Start + e.Span.Duration, by: -1})
		}
	}
	slices.SortFunc(list, func(a, b change) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.by, b.by)) })
	now := int64(0)
	for _, c := range list {
		now += c.by
		most = max(most, now)
	}
	return most
}
