package backend

import (
	"net/http"

	"evalctl/eval"
	"evalctl/mocks/cassette"
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
