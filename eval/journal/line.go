package journal

import (
	"encoding/json"

	"evalctl/eval"
)

// TraceIn decodes a line of the file of traces.
func TraceIn(line []byte) (Trace, error) { return traceOn(line) }

// ResultIn decodes a line of the file of results.
func ResultIn(line []byte) (eval.Result, error) { return result(line) }

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
