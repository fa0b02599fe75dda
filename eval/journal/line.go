package journal

import (
	"encoding/json"

	"evalctl/eval"
)

// TraceIn decodes a line of the file of traces, whose checksum is right if it has one.
// It takes the line over.
func TraceIn(line []byte) (Trace, error) {
	object, err := withoutSum(line, false)
	if err != nil {
		return Trace{}, err
	}
	return traceOn(object)
}

// ResultIn decodes a line of the file of results, as TraceIn does.
func ResultIn(line []byte) (eval.Result, error) {
	object, err := withoutSum(line, false)
	if err != nil {
		return eval.Result{}, err
	}
	return result(object)
}

// KeyIn is the key of a line of either file, "" where there is none. Of the lines that
// a run writes it decodes nothing.
func KeyIn(line []byte) string {
	const lead = `{"key":"`
	if len(line) > len(lead) && string(line[:len(lead)]) == lead {
		for i, c := range line[len(lead):] {
			if c == '"' {
				return string(line[len(lead) : len(lead)+i])
			}
			if c == '\\' || c < ' ' || c >= 0x80 {
				break
			}
		}
	}
	var of struct {
		Key string `json:"key"`
	}
	if json.Unmarshal(line, &of) != nil {
		return ""
	}
	return of.Key
}
