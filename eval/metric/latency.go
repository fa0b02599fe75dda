package metric

import (
	"slices"

	"evalctl/eval"
)

// latency keeps how long users wait, in milliseconds: for the whole answer of a
// turn (latency), for its first piece (ttft), and through a whole trial (episode).
// Only real answers count. An apology is timed apart (latency.error_reply), and one for a
// call that failed, or after decisions of which nothing came, is missing besides, as is
// a turn that failed or was never played; one for which nothing was to be done, as to
// an empty message, is not. A turn with a call that was answered from what is kept of an
// earlier run has no time: it is missing. A message that
// a later turn's reply answers has no time at all. An episode counts where all its
// turns do.
type latency struct{ turn, ttft, errorReply, episode times }

func (m *latency) Add(trials []eval.Result) {
	for _, r := range trials {
		m.trial(r)
	}
	endCase(&m.turn, &m.ttft, &m.errorReply, &m.episode)
}

func (m *latency) trial(r eval.Result) {
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
	case !slices.ContainsFunc(r.Turns, func(t eval.TurnRow) bool { return t.ErrorReply != "" }):
		m.episode.add(r.Duration)
	}
}

// Close leaves out what does not arise in this cell: apologies, and first pieces
// where nothing is streamed.
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
