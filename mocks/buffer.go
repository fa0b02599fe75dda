package mocks

import "sync"

var scratch = sync.Pool{New: func() any { b := make([]byte, 0, 4<<10); return &b }}

// borrow takes an empty slice to build an answer in; it is given back by
// putting it into scratch again, grown or not.
func borrow() *[]byte {
	b := scratch.Get().(*[]byte)
	*b = (*b)[:0]
	return b
}
