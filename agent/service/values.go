package service

import "net/http"

// What a request costs once it is decoded: its strings are there a second time,
// and two bytes of JSON become a message or a document of hundreds. So the values
// are counted before.
const (
	copies        = 2
	maxValues     = 32 << 10 // a mask's outline of 10,000 points fits
	bytesPerValue = 256
)

// cost is the most that a body of so many bytes is charged.
func cost(body int64) int64 { return copies*body + bytesPerValue*maxValues }

// charge takes the room that the body's values will have once decoded.
func (s *share) charge(body []byte) *problem {
	n := countValues(body)
	if n > maxValues {
		return refuse(http.StatusRequestEntityTooLarge, "TOO_MANY_VALUES", "the request has more than %d JSON values", maxValues)
	}
	if !s.take((copies-1)*int64(len(body)) + bytesPerValue*int64(n)) {
		return noShare()
	}
	return nil
}

// countValues counts what begins a value: braces, brackets and commas outside
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
