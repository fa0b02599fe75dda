package metric

import "evalctl/eval"

// batches tell of replies that answer several messages at once: of how many messages
// (batch.messages_mean), and how long the last of these waits for its answer
// (latency.batch), beside replies to a single one (latency.single). The replies are those
// that latency counts.
type batches struct {
	messages      mean
	batch, single times
}

func (m *batches) Add(trials []eval.Result) {
	for _, r := range trials {
		waiting := 0
		for _, t := range r.Turns {
			if t.Batched {
				waiting++
				continue
			}
			m.reply(t, waiting+1)
			waiting = 0
		}
	}
	endCase(&m.messages, &m.batch, &m.single)
}

// reply counts one that answers so many messages.
func (m *batches) reply(t eval.TurnRow, messages int) {
	if messages > 1 {
		m.messages.add(float64(messages))
	}
	of := &m.single
	if messages > 1 {
		of = &m.batch
	}
	switch {
	case t.IsLatencyMissing():
		of.missing++
	case t.HasLatency():
		of.add(t.Duration)
	}
}

// Close leaves a cell without a batch as it is.
func (m *batches) Close(into *eval.ConditionSummary) {
	if m.messages.cases.N() == 0 {
		return
	}
	into.Metrics["batch.messages_mean"] = m.messages.estimate()
	m.batch.close(into, "latency.batch")
	m.single.close(into, "latency.single")
}
