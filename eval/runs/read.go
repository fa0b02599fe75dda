package runs

import (
	"context"

	"evalctl/agent/clock"
	"evalctl/eval"
)

// batchOf is the number of results per batch.
const batchOf = 256

// Read passes the run's results to all sinks, each in the order in which they were written. The
// sinks process a batch concurrently while the next one is decoded. Sinks must not modify results.
func (r *Run) Read(sinks ...eval.Sink) error {
	h := handout{sinks: sinks}
	var batch []eval.Result
	for res, err := range r.Results() {
		if err == nil {
			if batch = append(batch, res); len(batch) < batchOf {
				continue
			}
			err = h.give(batch)
			batch = make([]eval.Result, 0, batchOf)
		}
		if err != nil {
			_ = h.wait() // the decoding error takes precedence, and the results are discarded
			return err
		}
	}
	if err := h.give(batch); err != nil {
		return err
	}
	return h.wait()
}

// handout passes one batch at a time to the sinks.
type handout struct {
	sinks []eval.Sink
	group *clock.Group // nil: no batch in progress
}

// give passes on a batch when the one before is processed.
func (h *handout) give(batch []eval.Result) error {
	if err := h.wait(); err != nil {
		return err
	}
	h.group, _ = clock.NewGroup(context.Background(), 0)
	for _, s := range h.sinks {
		h.group.Go("take results", func(context.Context) error { return addAll(s, batch) })
	}
	return nil
}

func addAll(s eval.Sink, batch []eval.Result) error {
	for _, r := range batch {
		if err := s.Add(r); err != nil {
			return err
		}
	}
	return nil
}

func (h *handout) wait() error {
	if h.group == nil {
		return nil
	}
	err := h.group.Wait()
	h.group = nil
	return err
}
