package backend

import (
	"net/http"

	"evalctl/agent/trace"
	"evalctl/eval"
	"evalctl/mocks/cassette"
	"evalctl/mocks/responses"
)

// WithRecording returns middleware that records the calls of real endpoints into a cassette.
func WithRecording(recorder *cassette.Recorder) Middleware {
	return func(c Call, next http.RoundTripper) http.RoundTripper {
		return recorder.Transport(c.trialRef(), c.Trial.Epoch, next)
	}
}

// WithReplay returns middleware that answers calls of real endpoints from a cassette. missed is
// called for each request without a recording.
func WithReplay(player *cassette.Player, missed func(eval.Trial, *cassette.Miss)) Middleware {
	return func(c Call, _ http.RoundTripper) http.RoundTripper {
		return player.Transport(c.trialRef(), c.Trial.Epoch, func(m *cassette.Miss) { missed(c.Trial, m) })
	}
}

// WithCache returns middleware that answers repeated calls of real endpoints from a cache. A new
// answer is passed to schedule. Once the outcome of the trial shows that the answer should be
// cached, schedule calls store.
func WithCache(cache *responses.Cache, schedule func(c Call, store func())) Middleware {
	return func(c Call, next http.RoundTripper) http.RoundTripper {
		return cache.Transport(responses.CallHooks{
			Epoch:           c.Trial.Epoch,
			OnHit:           trace.MarkCached,
			RegisterOutcome: trace.OnAttemptEnd,
			OnAccepted:      func(store func()) { schedule(c, store) },
		}, next)
	}
}

func (c Call) trialRef() cassette.TrialRef {
	w := CassetteTrialRef(c.Trial)
	w.Component, w.RescoredTurn = c.Component, c.Trial.RescoredTurn
	return w
}

// CassetteTrialRef returns the reference under which a cassette stores the requests of a trial,
// without the component.
func CassetteTrialRef(t eval.Trial) cassette.TrialRef {
	w := cassette.TrialRef{Suite: t.Condition.Suite, Variant: t.Condition.Variant, Case: t.Case.ID}
	if t.Condition.Fault != eval.NoFault {
		w.Fault = t.Condition.Fault
	}
	return w
}
