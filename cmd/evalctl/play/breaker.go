package play

import (
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"
	"sync"

	"evalctl/eval"
)

// circuitOpenError reports endpoints that are no longer called.
type circuitOpenError struct{ error }

// breaker skips the trials that need an endpoint whose circuit is open.
type breaker struct {
	mu      sync.Mutex       // guards dead and left: trials are generated while results arrive
	open    map[string]error // reason by endpoint
	skipped int64            // skipped trials
}

func (b *breaker) openCircuit(endpoint string, why error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.open[endpoint] == nil {
		b.open[endpoint] = why
	}
}

// usesOpen reports whether a variant uses an endpoint whose circuit is open.
func (b *breaker) usesOpen(nodes map[string]realPart) bool {
	for _, part := range nodes {
		if b.open[part.endpoint] != nil {
			return true
		}
	}
	return false
}

// hasUsable reports whether at least one variant uses no failed endpoint. parts are the real
// components of each variant.
func (b *breaker) hasUsable(parts map[conditionKey]map[string]realPart) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.open) == 0 {
		return true
	}
	for _, nodes := range parts {
		if !b.usesOpen(nodes) {
			return true
		}
	}
	return false
}

// skipOpen skips the trials of variants with a failed endpoint. It counts the skipped trials that
// are not done.
func (b *breaker) skipOpen(trials iter.Seq2[eval.Trial, error], parts map[conditionKey]map[string]realPart,
	done func(key string) bool) iter.Seq2[eval.Trial, error] {
	dead := func(t eval.Trial) bool {
		b.mu.Lock()
		defer b.mu.Unlock()
		if t.Condition == nil || len(b.open) == 0 ||
			!b.usesOpen(parts[conditionKey{suite: t.Condition.Suite, variant: t.Condition.Variant}]) {
			return false
		}
		if !done(t.Key()) {
			b.skipped++
		}
		return true
	}
	return func(yield func(eval.Trial, error) bool) {
		for t, err := range trials {
			if err == nil && dead(t) {
				continue
			}
			if !yield(t, err) {
				return
			}
		}
	}
}

// openError returns a circuitOpenError for the endpoints that are no longer called, or nil.
func (b *breaker) openError() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.open) == 0 {
		return nil
	}
	var texts []string
	for _, at := range slices.Sorted(maps.Keys(b.open)) {
		texts = append(texts, b.open[at].Error())
	}
	if b.skipped > 0 {
		texts = append(texts, fmt.Sprintf("%d trials were left out", b.skipped))
	}
	return circuitOpenError{errors.New("gave up: " + strings.Join(texts, "; "))}
}
