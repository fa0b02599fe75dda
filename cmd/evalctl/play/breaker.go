package play

import (
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"

	"evalctl/eval"
)

// gaveUp says that endpoints are given up.
type gaveUp struct{ error }

func (o *outage) giveUp(endpoint string, why error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.dead[endpoint] == nil {
		o.dead[endpoint] = why
	}
}

// wants tells whether a variant's trials ask an endpoint that is given up.
func (o *outage) wants(nodes map[string]realPart) bool {
	for _, part := range nodes {
		if o.dead[part.endpoint] != nil {
			return true
		}
	}
	return false
}

// livesSome tells whether some variant can be played still.
func (o *outage) livesSome() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(o.dead) == 0 {
		return true
	}
	for _, nodes := range o.real {
		if !o.wants(nodes) {
			return true
		}
	}
	return false
}

// spare leaves out the trials of variants whose endpoints are given up by then; of those
// that are done nobody speaks.
func (o *outage) spare(trials iter.Seq2[eval.Trial, error], done func(key string) bool) iter.Seq2[eval.Trial, error] {
	dead := func(t eval.Trial) bool {
		o.mu.Lock()
		defer o.mu.Unlock()
		if t.Cell == nil || len(o.dead) == 0 || !o.wants(o.real[cellKey{suite: t.Cell.Suite, variant: t.Cell.Variant}]) {
			return false
		}
		if !done(t.Key()) {
			o.left++
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

// gaveUp says which endpoints are given up, nil where none is.
func (o *outage) gaveUp() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(o.dead) == 0 {
		return nil
	}
	var texts []string
	for _, at := range slices.Sorted(maps.Keys(o.dead)) {
		texts = append(texts, o.dead[at].Error())
	}
	if o.left > 0 {
		texts = append(texts, fmt.Sprintf("%d trials were left out", o.left))
	}
	return gaveUp{errors.New("gave up: " + strings.Join(texts, "; "))}
}
