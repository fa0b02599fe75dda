package datasets

import (
	"errors"
	"io"
	"path"
	"slices"
	"strings"

	"evalctl/datasets/importer"
)

// CSVColumns contains the names of the columns of a CSV file. An empty name means a column with a
// usual name, such as text or label. Without a column for the ID, IDs are derived from text and label.
type CSVColumns struct{ Text, Label, ID string }

// IsTableFile reports whether a file of cases is a table with a header, by the end of its name.
func IsTableFile(name string) bool {
	return slices.Contains([]string{".csv", ".tsv"}, strings.ToLower(path.Ext(name)))
}

// errStopped stops the reading of a table.
var errStopped = errors.New("stopped")

// eachRow calls do for each row of a table, with the case as a line in the short form or the reason
// why the row is no case. It calls whole with an error of the whole file. goOn is false if do or
// whole has returned false.
func (s Schema) eachRow(name string, from io.Reader, do func(number int, line []byte, bad error) bool,
	whole func(error) bool) (goOn bool, err error) {
	options := importer.Options{Text: s.Columns.Text, Label: s.Columns.Label, ID: s.Columns.ID}
	err = importer.ForEachCSVCase(name, from, options, func(number int, line []byte, bad error) error {
		if !do(number, line, bad) {
			return errStopped
		}
		return nil
	})
	switch {
	case errors.Is(err, errStopped):
		return false, nil
	case err != nil:
		return whole(err), nil
	}
	return true, nil
}
