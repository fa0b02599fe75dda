package fleet

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"evalctl/agent/secret"
	"evalctl/eval"
	"evalctl/eval/journal"
)

// envelope is the result of one trial as sent to the coordinator. It consists of a line that
// identifies the trial, and the two lines for the journal. If they are too large for a message, the
// envelope contains only the name of an object with all three lines.
type envelope struct {
	Trial  int64  `json:"trial"` // position of the trial in the run
	Object string `json:"object,omitempty"`

	result, trace []byte
}

// pack encodes a result for sending, with the secrets of this machine redacted. Fields that come
// from the coordinator's dataset are not changed.
func pack(trial int64, r eval.Result, secrets *secret.Set) ([]byte, error) {
	text, err := head(envelope{Trial: trial})
	if err != nil {
		return nil, err
	}
	result, err := journal.AppendResult(nil, r, secrets)
	if err != nil {
		return nil, fmt.Errorf("result of case %s: %w", r.Case, err)
	}
	trace, err := json.Marshal(journal.Trace{Key: r.Key, Outcome: r.Outcome})
	if err != nil {
		return nil, fmt.Errorf("trace of case %s: %w", r.Case, err)
	}
	for _, line := range [][]byte{result, secrets.RedactJSON(trace)} {
		text = append(append(text, line...), '\n')
	}
	if len(text) > maxResult {
		return nil, fmt.Errorf("result of case %s: %d bytes are more than %d", r.Case, len(text), maxResult)
	}
	return text, nil
}

// head returns the first line of an envelope, which identifies the trial.
func head(p envelope) ([]byte, error) {
	line, err := json.Marshal(p)
	return append(line, '\n'), err
}

// open decodes the result in an envelope, and checks that its trace belongs to the same trial.
func (p envelope) open() (eval.Result, error) {
	r, err := journal.DecodeResult(p.result)
	if err != nil {
		return r, fmt.Errorf("result: %w", err)
	}
	t, err := journal.DecodeTrace(p.trace)
	if err != nil {
		return r, fmt.Errorf("trace: %w", err)
	}
	if t.Key != r.Key {
		return r, errors.New("the trace is of another trial")
	}
	r.Outcome = t.Outcome
	return r, nil
}

func readEnvelopes(message []byte) (list []envelope, err error) {
	next := func() (line []byte) {
		line, message, _ = bytes.Cut(message, []byte("\n"))
		return line
	}
	for len(message) > 0 {
		var p envelope
		if err := decode(next(), &p); err != nil {
			return nil, err
		}
		if p.Object == "" {
			p.result, p.trace = next(), next()
		}
		list = append(list, p)
	}
	return list, nil
}
