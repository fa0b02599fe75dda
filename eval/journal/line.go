package journal

import (
	"evalctl/eval"
)

// DecodeTrace decodes a line of the traces file of any run. A checksum, if present, must be
// correct. The bytes of the line are overwritten.
func DecodeTrace(line []byte) (Trace, error) {
	object, _, err := withoutSum(line)
	if err != nil {
		return Trace{}, err
	}
	return decodeTrace(object)
}

// DecodeResult decodes a line of the results file, like DecodeTrace.
func DecodeResult(line []byte) (eval.Result, error) {
	object, _, err := withoutSum(line)
	if err != nil {
		return eval.Result{}, err
	}
	return decodeResult(object)
}
