package metric

import (
	"slices"

	"evalctl/eval"
)

// latency measures how long users wait, in milliseconds: for the whole answer of a turn (latency),
// for its first text (ttft), and for a whole trial (episode).
//
// Only real answers count. Error replies are timed separately (latency.error_reply).
//
//   - A turn is missing if it failed, did not run or has a cached call. It is also missing if it ends
//     in an error reply after a failed call, or after the agent decided but generated no answer.
//   - An error reply where no work was possible, such as to an empty message, is neither timed nor
//     missing. The same applies to a message that a later turn answers.
//   - A trial counts in episode if all its turns count in latency.
type latency struct{ turn, ttft, errorReply, episode times }

func (m *latency) Add(trials []eval.Result) {
	for _, r := range trials {
		m.addTrial(r)
	}
	endCase(&m.turn, &m.ttft, &m.errorReply, &m.episode)
}

func (m *latency) addTrial(r eval.Result) {
	lost := false
	for _, t := range r.Turns {
		if t.Answered && t.ErrorReply != "" && t.CachedCalls == 0 {
			m.errorReply.add(t.Duration)
		}
		switch {
		case t.IsLatencyMissing():
			m.turn.missing++
			m.ttft.missing++
			lost = true
		case t.HasLatency():
			m.turn.add(t.Duration)
			if t.TTFT != nil {
				m.ttft.add(*t.TTFT)
			}
		}
	}
	switch {
	case lost:
		m.episode.missing++
	case !slices.ContainsFunc(r.Turns, func(t eval.TurnSummary) bool { return t.ErrorReply != "" }):
		m.episode.add(r.Duration)
	}
}

// Close adds the metrics to the condition's summary. It omits error replies and first texts if
// there were none.
func (m *latency) Close(into *eval.ConditionSummary) {
	m.turn.close(into, "latency")
	m.episode.close(into, "episode")
	if m.ttft.sketch.N() > 0 {
		m.ttft.close(into, "ttft")
	}
	if m.errorReply.sketch.N() > 0 {
		m.errorReply.close(into, "latency.error_reply")
	}
}
