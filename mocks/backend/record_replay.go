package backend

import (
	"net/http"

	"evalctl/agent/trace"
	"evalctl/eval"
	"evalctl/mocks/cassette"
	"evalctl/mocks/responses"
)

// WithRecording returns middleware that records real calls.
func WithRecording(recorder *cassette.Recorder) Middleware {
	return func(c Call, next http.RoundTripper) http.RoundTripper {
		return recorder.Transport(c.trialRef(), c.Trial.Epoch, next)
	}
}

// WithReplay returns middleware that replays recordings instead of real calls. missed is called for
// trials with unrecorded requests.
func WithReplay(player *cassette.Player, missed func(eval.Trial, *cassette.Miss)) Middleware {
	return func(c Call, _ http.RoundTripper) http.RoundTripper {
		return player.Transport(c.trialRef(), c.Trial.Epoch, func(m *cassette.Miss) { missed(c.Trial, m) })
	}
}

// WithCache returns middleware that answers repeated real calls from a cache. schedule decides
// whether an accepted answer is stored, once the outcome of its trial is known.
func WithCache(cache *responses.Cache, schedule func(c Call, store func())) Middleware {
	return func(c Call, next http.RoundTripper) http.RoundTripper {
		return cache.Transport(responses.CallHooks{
			Epoch:       c.Trial.Epoch,
			OnHit:       trace.MarkCached,
			OnOutcome:   trace.OnAttemptEnd,
			ShouldStore: func(store func()) { schedule(c, store) },
		}, next)
	}
}

func (c Call) trialRef() cassette.TrialRef {
	w := CassetteTrial(c.Trial)
	w.Component, w.RescoredTurn = c.Part, c.Trial.RescoredTurn
	return w
}

// CassetteTrial returns a cassette's identification of a trial.
func CassetteTrial(t eval.Trial) cassette.TrialRef {
	w := cassette.TrialRef{Suite: t.Condition.Suite, Variant: t.Condition.Variant, Case: t.Case.ID}
	if t.Condition.Fault != eval.NoFault {
		w.Fault = t.Condition.Fault
	}
	return w
}
