package eval

import (
	"cmp"
	"encoding/json"
	"slices"
	"time"

	"evalctl/agent/trace"
)

// CacheStats counts the hits, misses and errors of an agent's cache. A query that repeats an
// earlier one of the same turn is not counted.
type CacheStats struct {
	Hits   int64 `json:"hits"`
	Misses int64 `json:"misses"`
	Errors int64 `json:"errors,omitempty"` // failed lookups and stores; a failed lookup also counts as a miss
}

// add counts a cache event. It ignores hits with a reason: they reuse an answer of the same turn
// without a lookup.
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

// Compression records how much a compression shortened the history of a session, in tokens.
type Compression struct {
	Turn         int   `json:"turn"` // number of the turn, from 1
	TokensBefore int64 `json:"tokens_before"`
	TokensAfter  int64 `json:"tokens_after"`
}

// ParseCompression decodes a compression event of a trace. It returns false for any other event,
// and for an event without valid lengths.
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

// peak returns the largest number of concurrent calls of the given nodes in a turn. Two calls do
// not overlap if one ends exactly when the other starts. Calls without a duration count as one call
// at most.
func peak(nodes []string, events []trace.Event) (most int64) {
	type change struct {
		at time.Duration
		by int64
	}
	var list []change
	for _, e := range events {
		if e.Kind != trace.KindSpan || e.Span == nil || e.Span.IsExternalAgent || !slices.Contains(nodes, e.Node) {
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
