package importer

import "fmt"

// Limits of the input, so that any dataset can be read in little memory and the loader accepts the
// output.
const (
	maxField = 1 << 20  // bytes of a text, and of a line or value that is read
	maxLine  = 16 << 20 // bytes of a case, the loader's limit for a line
)

var errTooLong = fmt.Errorf("is longer than %d MiB", maxField>>20)
