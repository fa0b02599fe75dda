package journal

import (
	"bytes"
	"iter"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"evalctl/eval"
)

// TrialName identifies a trial, by its key and by suite, case, variant, fault and epoch.
type TrialName struct {
	Key, Suite, Case, Variant, Fault string
	Epoch                            int
}

// TrialNameOf returns the [TrialName] of a result.
func TrialNameOf(r eval.Result) TrialName {
	return TrialName{
		Key:     r.Key,
		Suite:   r.Suite,
		Case:    r.Case,
		Variant: r.Variant,
		Fault:   r.Fault,
		Epoch:   r.Epoch,
	}
}

// ReadTrialNames yields the trial names of all results in a file. It is much faster than ReadResults,
// because it decodes only the start of each line.
func ReadTrialNames(path string) iter.Seq2[TrialName, error] { return lines(path, every, decodeName) }

func decodeName(line []byte) (n TrialName, err error) {
	if isBlank(line) {
		return n, errBlank
	}
	d := jsontext.NewDecoder(bytes.NewBuffer(line), lenientOptions)
	if d.PeekKind() != '{' { // the line is not a JSON object, so decodeResult returns the error
		_, err := decodeResult(line)
		return n, err
	}
	_, err = d.ReadToken()
	for left := 6; err == nil && left > 0 && d.PeekKind() != '}'; {
		var found bool
		if found, err = n.member(d); found {
			left--
		}
	}
	switch {
	case err != nil:
		return n, explain(err)
	case n.Key == "":
		return n, errNoKey
	}
	if isOlderRow(line) {
		n.Fault = newerFault(n.Fault)
	}
	return n, nil
}

// member reads one field of a line and reports whether it is part of the trial name.
func (n *TrialName) member(d *jsontext.Decoder) (found bool, err error) {
	field, err := d.ReadToken()
	if err != nil {
		return false, err
	}
	switch field.String() {
	case "key":
		return true, json.UnmarshalDecode(d, &n.Key)
	case "suite":
		return true, json.UnmarshalDecode(d, &n.Suite)
	case "case":
		return true, json.UnmarshalDecode(d, &n.Case)
	case "variant":
		return true, json.UnmarshalDecode(d, &n.Variant)
	case "fault":
		return true, json.UnmarshalDecode(d, &n.Fault)
	case "epoch":
		return true, json.UnmarshalDecode(d, &n.Epoch)
	}
	return false, d.SkipValue()
}
