package backend

import (
	"net/http"

	"evalctl/agent/trace"
	"evalctl/eval"
	"evalctl/mocks/cassette"
	"evalctl/mocks/responses"
)

// WithRecording has what is real recorded.
func WithRecording(to *cassette.Recorder) Middleware {
	return func(c Call, next http.RoundTripper) http.RoundTripper {
		return to.Transport(c.who(), c.Trial.Epoch, next)
	}
}

// WithReplay has recordings answer in the place of what is real. missed hears of the trials
// that ask for more.
func WithReplay(from *cassette.Player, missed func(eval.Trial, *cassette.Miss)) Middleware {
	return func(c Call, _ http.RoundTripper) http.RoundTripper {
		return from.Transport(c.who(), c.Trial.Epoch, func(m *cassette.Miss) { missed(c.Trial, m) })
	}
}

// WithCache has what is real answered from a folder where it was asked the same before. An
// answer that is taken is kept later, if at all: when it is known what came of its trial.
func WithCache(from *responses.Cache, later func(c Call, keep func())) Middleware {
	return func(c Call, next http.RoundTripper) http.RoundTripper {
		return from.Transport(responses.CallHooks{Epoch: c.Trial.Epoch, OnHit: trace.MarkCached, WhenOver: trace.OnAttemptEnd,
			ShouldStore: func(keep func()) { later(c, keep) }}, next)
	}
}

func (c Call) who() cassette.TrialRef {
	w := CassetteTrial(c.Trial)
	w.Component, w.RescoredTurn = c.Part, c.Trial.RescoredTurn
	return w
}

// CassetteTrial is how a cassette names a trial.
func CassetteTrial(t eval.Trial) cassette.TrialRef {
	w := cassette.TrialRef{Suite: t.Condition.Suite, Variant: t.Condition.Variant, Case: t.Case.ID}
	if t.Condition.Fault != eval.NoFault {
		w.Fault = t.Condition.Fault
	}
	return w
}
