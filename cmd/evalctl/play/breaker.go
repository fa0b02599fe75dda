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

// circuitOpenError says that endpoints are given up.
type circuitOpenError struct{ error }

// breaker has endpoints left alone that are given up.
type breaker struct {
	mu   sync.Mutex       // trials that are to be played ask for the rest
	dead map[string]error // why, by endpoint
	left int64            // trials that want one of them
}

func (b *breaker) giveUp(endpoint string, why error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.dead[endpoint] == nil {
		b.dead[endpoint] = why
	}
}

// wants tells whether a variant's trials ask an endpoint that is given up.
func (b *breaker) wants(nodes map[string]realPart) bool {
	for _, part := range nodes {
		if b.dead[part.endpoint] != nil {
			return true
		}
	}
	return false
}

// livesSome tells whether some variant can be played still, by what is real in each.
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

// spare leaves out the trials of variants whose endpoints have been given up, and counts
// those of them that are not done.
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

// circuitOpenError says which endpoints are given up, nil where none is.
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
