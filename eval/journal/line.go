package journal

import (
	"evalctl/eval"
)

// DecodeTrace decodes a line of the file of traces, whose checksum is right if it has one, of any run.
// It takes the line over.
func DecodeTrace(line []byte) (Trace, error) {
	object, _, err := withoutSum(line)
	if err != nil {
		return Trace{}, err
	}
	return traceOn(object)
}

// DecodeResult decodes a line of the file of results, as DecodeTrace does.
func DecodeResult(line []byte) (eval.Result, error) {
	object, _, err := withoutSum(line)
	if err != nil {
		return eval.Result{}, err
	}
	return result(object)
}
