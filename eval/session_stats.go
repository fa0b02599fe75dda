package eval

import (
	"cmp"
	"encoding/json"
	"slices"
	"time"

	"evalctl/agent/trace"
)

// CacheStats counts cache hits, misses and errors. A query that repeats one of the same turn (a hit
// with a reason) is not counted.
type CacheStats struct {
	Hits   int64 `json:"hits"`
	Misses int64 `json:"misses"`
	Errors int64 `json:"errors,omitempty"` // failed lookups and stores; a failed lookup is also a miss
}

// add ignores reused answers, which involve no lookup.
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

// Compression records the length of a session's history before and after a compression, in tokens.
type Compression struct {
	Turn         int   `json:"turn"` // from 1
	TokensBefore int64 `json:"tokens_before"`
	TokensAfter  int64 `json:"tokens_after"`
}

// ParseCompression reads a compression event. It returns false for other events and for events
// without valid lengths.
func ParseCompression(e trace.Event) (c trace.Compression, ok bool) {
	if e.Kind != trace.KindCompression {
		return c, false
	}
	var compression trace.Compression
	if json.Unmarshal(e.Data, &compression) != nil {
		return c, false
	}
	return compression, compression.TokensBefore > 0 && compression.TokensAfter >= 0
}

// peak returns the largest number of concurrent calls under the given nodes in a turn. A call that
// ends when another starts does not overlap it. A call without duration counts only if there is no
// other.
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
