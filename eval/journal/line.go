package journal

import (
	"evalctl/eval"
)

// TraceIn decodes a line of the file of traces, whose checksum is right if it has one, of any run.
// It takes the line over.
func TraceIn(line []byte) (Trace, error) {
	object, _, err := withoutSum(line)
	if err != nil {
		return Trace{}, err
	}
	return traceOn(object)
}

// ResultIn decodes a line of the file of results, as TraceIn does.
func ResultIn(line []byte) (eval.Result, error) {
	object, _, err := withoutSum(line)
	if err != nil {
		return eval.Result{}, err
	}
	return result(object)
}
