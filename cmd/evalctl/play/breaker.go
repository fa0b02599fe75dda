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
	mu   sync.Mutex       // guards dead and left: trials are generated while results arrive
	dead map[string]error // reason by endpoint
	left int64            // skipped trials
}

func (b *breaker) giveUp(endpoint string, why error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.dead[endpoint] == nil {
		b.dead[endpoint] = why
	}
}

// wants reports whether a variant uses an endpoint whose circuit is open.
func (b *breaker) wants(nodes map[string]realPart) bool {
	for _, part := range nodes {
		if b.dead[part.endpoint] != nil {
			return true
		}
	}
	return false
}

// livesSome reports whether at least one variant uses no failed endpoint. parts are the real
// components of each variant.
func (b *breaker) livesSome(parts map[conditionKey]map[string]realPart) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.dead) == 0 {
		return true
	}
	for _, nodes := range parts {
		if !b.wants(nodes) {
			return true
		}
	}
	return false
}

// spare skips the trials of variants with a failed endpoint. It counts the skipped trials that are
// not done.
func (b *breaker) spare(trials iter.Seq2[eval.Trial, error], parts map[conditionKey]map[string]realPart, done func(key string) bool) iter.Seq2[eval.Trial, error] {
	dead := func(t eval.Trial) bool {
		b.mu.Lock()
		defer b.mu.Unlock()
		if t.Condition == nil || len(b.dead) == 0 || !b.wants(parts[conditionKey{suite: t.Condition.Suite, variant: t.Condition.Variant}]) {
			return false
		}
		if !done(t.Key()) {
			b.left++
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

// gaveUp returns a circuitOpenError for the endpoints that are no longer called, or nil.
func (b *breaker) gaveUp() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.dead) == 0 {
		return nil
	}
	var texts []string
	for _, at := range slices.Sorted(maps.Keys(b.dead)) {
		texts = append(texts, b.dead[at].Error())
	}
	if b.left > 0 {
		texts = append(texts, fmt.Sprintf("%d trials were left out", b.left))
	}
	return circuitOpenError{errors.New("gave up: " + strings.Join(texts, "; "))}
}
