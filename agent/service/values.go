package service

import "net/http"

// Cost of a decoded request: its strings are copied, and two bytes of JSON can become a message or
// document of hundreds. Therefore the values are counted before decoding.
const (
	copies        = 2
	maxValues     = 32 << 10 // fits a mask outline of 10,000 points
	bytesPerValue = 256
)

// cost returns the maximal charge for a body of this size.
func cost(body int64) int64 { return copies*body + bytesPerValue*maxValues }

// charge reserves budget for the decoded values of the body.
func (s *share) charge(body []byte) *problem {
	n := countValues(body)
	if n > maxValues {
		return refuse(http.StatusRequestEntityTooLarge, "TOO_MANY_VALUES", "the request has more than %d JSON values",
			maxValues)
	}
	if !s.take((copies-1)*int64(len(body)) + bytesPerValue*int64(n)) {
		return budgetUsed()
	}
	return nil
}

// countValues counts braces, brackets and commas outside of strings.
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
