package importer

import "fmt"

// maxField and maxLine limit the size of the input and of the output lines. With them, any dataset
// can be read in little memory, and package datasets accepts the output.
const (
	maxField = 1 << 20  // bytes of a text, or of a line or value that is read
	maxLine  = 16 << 20 // bytes of a line that is written; the limit of package datasets
)

var errTooLong = fmt.Errorf("is longer than %d MiB", maxField>>20)
