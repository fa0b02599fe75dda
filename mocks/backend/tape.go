package backend

import (
	"net/http"

	"evalctl/agent/trace"
	"evalctl/eval"
	"evalctl/mocks/cassette"
	"evalctl/mocks/responses"
)

// Record has what is real recorded.
func Record(to *cassette.Recorder) Via {
	return func(c Call, next http.RoundTripper) http.RoundTripper {
		return to.Transport(c.who(), c.Trial.Epoch, next)
	}
}

// Replay has recordings answer in the place of what is real. missed hears of the trials
// that ask for more.
func Replay(from *cassette.Player, missed func(eval.Trial, *cassette.Miss)) Via {
	return func(c Call, _ http.RoundTripper) http.RoundTripper {
		return from.Transport(c.who(), c.Trial.Epoch, func(m *cassette.Miss) { missed(c.Trial, m) })
	}
}

// Cached has what is real answered from a folder where it was asked the same before. An
// answer that is taken is kept later, if at all: when it is known what came of its trial.
func Cached(from *responses.Folder, later func(c Call, keep func())) Via {
	return func(c Call, next http.RoundTripper) http.RoundTripper {
		return from.Transport(responses.Caller{Epoch: c.Trial.Epoch, Hit: trace.Cached, WhenOver: trace.WhenOver,
			Keep: func(keep func()) { later(c, keep) }}, next)
	}
}

func (c Call) who() cassette.Who {
	w := Asks(c.Trial)
	w.Part, w.Again = c.Part, c.Trial.Again
	return w
}

// Asks is how a cassette names a trial.
func Asks(t eval.Trial) cassette.Who {
	w := cassette.Who{Suite: t.Cell.Suite, Variant: t.Cell.Variant, Case: t.Case.ID}
	if t.Cell.Fault != eval.NoFault {
		w.Fault = t.Cell.Fault
	}
	return w
}
