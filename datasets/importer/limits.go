package importer

import "fmt"

// What is larger than these is refused, so that a set from anywhere is read in
// little memory and written as the loader takes it.
const (
	maxField = 1 << 20  // bytes of a text, and of a line or value that is read
	maxLine  = 16 << 20 // bytes of a case: the loader takes no longer line
)

var errTooLong = fmt.Errorf("is longer than %d MiB", maxField>>20)
