package fleet

import (
	"fmt"
	"iter"

	"evalctl/eval"
)

// walk goes through the trials of a plan. Leases mostly come in order: what lies before
// one is passed over, and what lies behind begins anew.
type walk struct {
	trials iter.Seq2[eval.Trial, error]
	next   func() (eval.Trial, error, bool)
	end    func()
	at     int64 // of the next trial
}

// to is the trial at a place.
func (w *walk) to(place int64) (eval.Trial, error) {
	if w.next == nil || place < w.at {
		w.stop()
		w.next, w.end = iter.Pull2(w.trials)
		w.at = 0
	}
	for {
		t, err, ok := w.next()
		if !ok {
			err = fmt.Errorf("there is no trial %d: the plan has %d", place, w.at)
		}
		if w.at++; err != nil || w.at > place {
			return t, err
		}
	}
}

func (w *walk) stop() {
	if w.end != nil {
		w.end()
	}
	w.next, w.end = nil, nil
}
