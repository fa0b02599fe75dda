package metric

import "evalctl/eval"

// batches measures replies that answer several messages at once, and for comparison those that
// answer one message.
//
// - batch.messages_mean: messages that one such reply answers.
// - latency.batch: time from the last message of a batch to the reply.
// - latency.single: the same time for replies to one message.
//
// It counts the same replies as latency.
type batches struct {
	messages      mean
	batch, single times
}

func (m *batches) Add(trials []eval.Result) {
	for _, r := range trials {
		pending := 0
		for _, t := range r.Turns {
			if t.IsDeferred {
				pending++
				continue
			}
			m.reply(t, pending+1)
			pending = 0
		}
	}
	endCase(&m.messages, &m.batch, &m.single)
}

// reply adds a reply to the statistics. messages is the number of messages that it answers.
func (m *batches) reply(t eval.TurnSummary, messages int) {
	if messages > 1 {
		m.messages.add(float64(messages))
	}
	wait := &m.single
	if messages > 1 {
		wait = &m.batch
	}
	switch {
	case t.IsLatencyMissing():
		wait.missing++
	case t.HasLatency():
		wait.add(t.Duration)
	}
}

// Close adds the metrics to the condition's summary. Without any batch it adds none.
func (m *batches) Close(into *eval.ConditionSummary) {
	if m.messages.cases.N() == 0 {
		return
	}
	into.Metrics["batch.messages_mean"] = atLeast(1, m.messages.estimate())
	m.batch.close(into, "latency.batch")
	m.single.close(into, "latency.single")
}
