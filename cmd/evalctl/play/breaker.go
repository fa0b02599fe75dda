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

// circuitOpenError ends a run because endpoints failed too often and are no longer called.
type circuitOpenError struct{ error }

// breaker skips the trials of a run that need an endpoint with an open circuit: one that has failed
// too often.
type breaker struct {
	mu      sync.Mutex       // guards open and skipped: trials are generated while results arrive
	open    map[string]error // endpoints that are no longer called, with the reason
	skipped int64            // number of skipped trials
}

func (b *breaker) openCircuit(endpoint string, why error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.open[endpoint] == nil {
		b.open[endpoint] = why
	}
}

// usesOpen reports whether a component calls an endpoint with an open circuit. The caller holds mu.
func (b *breaker) usesOpen(nodes map[string]realComponent) bool {
	for _, part := range nodes {
		if b.open[part.endpoint] != nil {
			return true
		}
	}
	return false
}

// hasUsable reports whether at least one variant can run, because no endpoint of its components has
// an open circuit. parts contains the real components of each variant.
func (b *breaker) hasUsable(parts map[conditionKey]map[string]realComponent) bool {
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

// skipOpen removes the trials of variants that use an endpoint with an open circuit. It counts the
// removed trials, except those that an earlier process has completed (done).
func (b *breaker) skipOpen(trials iter.Seq2[eval.Trial, error], parts map[conditionKey]map[string]realComponent,
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

// openError returns a circuitOpenError that names the endpoints with an open circuit. It returns
// nil if there are none.
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
