package metric

import "evalctl/eval"

// waits measures the time that a trial's calls wait, in milliseconds. queue is the wait for
// evalctl's own limits, such as --rpm, and is not part of a latency. backoff is the agent's wait
// between attempts and is part of a latency. Concurrent waits add up. calls.rate_limited counts
// requests that were refused by a rate limit. calls.retried counts requests that failed and were
// sent again, of all requests. Both are present in real time, or if above 0.
type waits struct {
	queue, backoff wait
	isRealTime     bool // the run uses real time
	rateLimited    int64
	retried        int64 // requests that failed and were sent again
	requests       int64
	trials         int64
}

// wait measures one kind of wait, and its longest occurrence.
type wait struct {
	times
	longest eval.Millis
}

func (m *waits) Add(trials []eval.Result) {
	for _, r := range trials {
		m.trials++
		m.rateLimited += r.RateLimitedRequests
		m.retried += r.RetriedRequests
		m.requests += r.Calls + r.ExternalRequests - r.CachedCalls
		if r.Calls+r.ExternalRequests > 0 {
			m.queue.wait(r.QueueTime)
			m.backoff.wait(r.Backoff)
		}
	}
	endCase(&m.queue, &m.backoff)
}

func (w *wait) wait(d eval.Millis) {
	w.add(d)
	w.longest = max(w.longest, d)
}

// Close adds the metrics to the condition's summary. It omits waits that did not occur.
func (m *waits) Close(into *eval.ConditionSummary) {
	m.queue.writeIfAny(into, "queue")
	m.backoff.writeIfAny(into, "backoff")
	if retried := float64(m.retried); m.isRealTime || retried > 0 {
		into.Metrics["calls.retried"] = eval.Estimate{N: m.requests, Value: &retried}
	}
	if refused := float64(m.rateLimited); m.isRealTime || refused > 0 {
		into.Metrics["calls.rate_limited"] = eval.Estimate{N: m.trials, Value: &refused}
	}
}

func (w *wait) writeIfAny(into *eval.ConditionSummary, name string) {
	if w.longest > 0 {
		w.close(into, name)
		into.Metrics[name+".max"] = eval.Estimate{N: w.sketch.N(), Value: millis(int64(w.longest))}
	}
}
