package runs

import (
	"context"

	"evalctl/agent/clock"
	"evalctl/eval"
)

// batchSize is the number of results that Read passes to a sink at once.
const batchSize = 256

// ReadInto passes the results of the run to all sinks, each in the order in which they were written.
// The sinks process a batch concurrently while the next one is decoded. Sinks must not modify
// results.
func (r *Run) ReadInto(sinks ...eval.Sink) error {
	h := fanOut{sinks: sinks}
	var batch []eval.Result
	for res, err := range r.Results() {
		if err == nil {
			if batch = append(batch, res); len(batch) < batchSize {
				continue
			}
			err = h.pass(batch)
			batch = make([]eval.Result, 0, batchSize)
		}
		if err != nil {
			_ = h.wait() // the decoding error takes precedence, and the results are discarded
			return err
		}
	}
	if err := h.pass(batch); err != nil {
		return err
	}
	return h.wait()
}

// fanOut passes batches of results to several sinks, one batch at a time.
type fanOut struct {
	sinks []eval.Sink
	group *clock.Group // the batch in progress; nil: none
}

// pass starts processing a batch, once the one before is processed.
func (h *fanOut) pass(batch []eval.Result) error {
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

func (h *fanOut) wait() error {
	if h.group == nil {
		return nil
	}
	err := h.group.Wait()
	h.group = nil
	return err
}
