package metric

import "evalctl/eval"

// waits are what a trial's calls wait for beside their answers, in milliseconds: room
// within the harness's own limits (queue), which is no part of any latency, and, between
// attempts, what their agent does (backoff), which is. Calls beside each other add up.
// What an endpoint refused for want of room is counted where it could have been, and so
// are requests that failed and were sent again (calls.retried, of all requests).
type waits struct {
	queue, backoff wait
	real           bool // time
	refused        int64
	retried        int64 // requests, that failed before
	requests       int64
	trials         int64
}

// wait is one of them.
type wait struct {
	times
	most eval.Millis
}

func (m *waits) Add(trials []eval.Result) {
	for _, r := range trials {
		m.trials++
		m.refused += r.RateLimited
		m.retried += r.Retried
		m.requests += r.Calls + r.ExternalRequests - r.CachedCalls
		if r.Calls+r.ExternalRequests > 0 {
			m.queue.wait(r.Queued)
			m.backoff.wait(r.Backoff)
		}
	}
	endCase(&m.queue, &m.backoff)
}

func (w *wait) wait(d eval.Millis) {
	w.add(d)
	w.most = max(w.most, d)
}

// Close leaves out what nothing waited for.
func (m *waits) Close(into *eval.ConditionSummary) {
	m.queue.told(into, "queue")
	m.backoff.told(into, "backoff")
	if retried := float64(m.retried); m.real || retried > 0 {
		into.Metrics["calls.retried"] = eval.Estimate{N: m.requests, Value: &retried}
	}
	if refused := float64(m.refused); m.real || refused > 0 {
		into.Metrics["calls.rate_limited"] = eval.Estimate{N: m.trials, Value: &refused}
	}
}

func (w *wait) told(into *eval.ConditionSummary, name string) {
	if w.most > 0 {
		w.close(into, name)
		into.Metrics[name+".max"] = eval.Estimate{N: w.sketch.N(), Value: millis(int64(w.most))}
	}
}
