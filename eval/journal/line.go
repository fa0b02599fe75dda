package journal

import (
	"evalctl/eval"
)

// DecodeTrace decodes a line of a traces file, of any run. If the line has a checksum, it must be
// correct. The bytes of the line are overwritten.
func DecodeTrace(line []byte) (Trace, error) {
	object, _, err := withoutSum(line)
	if err != nil {
		return Trace{}, err
	}
	return decodeTrace(object)
}

// DecodeResult decodes a line of a results file, of any run. If the line has a checksum, it must be
// correct. The bytes of the line are overwritten.
func DecodeResult(line []byte) (eval.Result, error) {
	object, _, err := withoutSum(line)
	if err != nil {
		return eval.Result{}, err
	}
	return decodeResult(object)
}
