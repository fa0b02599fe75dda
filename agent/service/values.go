package service

import "net/http"

// Estimate of the memory for a decoded request. Strings are copied while decoding. A JSON value of
// two bytes can need several hundred bytes in memory, so the values are counted before decoding.
const (
	bodyCopies    = 2
	maxValues     = 32 << 10 // enough for the outline of a mask with 10,000 points
	bytesPerValue = 256
)

// maxMemory returns the maximal memory, in bytes, of a request with a body of this size.
func maxMemory(body int64) int64 { return bodyCopies*body + bytesPerValue*maxValues }

// charge reserves memory of the budget for the decoded values of the body. It returns a problem if
// there are too many values or the budget is used up.
func (s *memoryShare) charge(body []byte) *problem {
	n := countValues(body)
	if n > maxValues {
		return newProblem(http.StatusRequestEntityTooLarge, "TOO_MANY_VALUES",
			"the request has more than %d JSON values",
			maxValues)
	}
	if !s.take((bodyCopies-1)*int64(len(body)) + bytesPerValue*int64(n)) {
		return budgetUsed()
	}
	return nil
}

// countValues estimates the number of JSON values: the braces, brackets and commas outside of
// strings.
func countValues(json []byte) (n int) {
	inString := false
	for i := 0; i < len(json); i++ {
		switch c := json[i]; {
		case inString && c == '\\':
			i++
		case c == '"':
			inString = !inString
		case !inString && (c == '{' || c == '[' || c == ','):
			n++
		}
	}
	return n
}
