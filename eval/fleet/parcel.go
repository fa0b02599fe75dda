package fleet

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"unicode/utf8"

	"evalctl/agent/secret"
	"evalctl/eval"
	"evalctl/eval/journal"
)

// parcel is one trial's result on its way: two lines as a journal has them, or the name
// of an object that holds them, where they are larger than a message may be.
type parcel struct {
	Trial  int64           `json:"trial"` // its place in the plan
	Result json.RawMessage `json:"result,omitempty"`
	Trace  json.RawMessage `json:"trace,omitempty"`
	Object string          `json:"object,omitempty"`
}

// pack makes a result a line of a message, without the secrets of this machine.
func pack(trial int64, r eval.Result, secrets *secret.Set) ([]byte, error) {
	if utf8.RuneCountInString(r.Text) == eval.MaxText { // what was cut may end in the half of a secret
		r.Text = (&secret.Stream{Set: secrets}).Next(r.Text)
	}
	result, err := json.Marshal(r)
	if err != nil {
		return nil, fmt.Errorf("result of case %s: %w", r.Case, err)
	}
	trace, err := json.Marshal(journal.Trace{Key: r.Key, Outcome: r.Outcome})
	if err != nil {
		return nil, fmt.Errorf("trace of case %s: %w", r.Case, err)
	}
	line, err := json.Marshal(parcel{Trial: trial, Result: secrets.JSON(result), Trace: secrets.JSON(trace)})
	if len(line) > maxResult {
		err = fmt.Errorf("result of case %s: %d bytes are more than %d", r.Case, len(line), maxResult)
	}
	return append(line, '\n'), err
}

// open is the result in a parcel.
func (p parcel) open() (eval.Result, error) {
	r, err := journal.ResultIn(p.Result)
	if err != nil {
		return r, fmt.Errorf("result: %w", err)
	}
	t, err := journal.TraceIn(p.Trace)
	if err != nil {
		return r, fmt.Errorf("trace: %w", err)
	}
	if t.Key != r.Key {
		return r, errors.New("the trace is of another trial")
	}
	r.Outcome = t.Outcome
	return r, nil
}

// readParcels reads the lines of a message.
func readParcels(message []byte) (list []parcel, err error) {
	for line := range bytes.Lines(message) {
		var p parcel
		if err := json.Unmarshal(line, &p); err != nil {
			return nil, err
		}
		list = append(list, p)
	}
	return list, nil
}
