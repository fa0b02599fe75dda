package importer

import (
	"fmt"
	"io"
	"strings"
)

// Config configures an import: what to read, where to write, and functions for rejected rows and
// messages.
type Config struct {
	Path     string               // file or directory to import
	Options  Options              // settings of the format
	Out      io.Writer            // receives the cases as JSON Lines, with one write for each line
	Rejected func(Rejection)      // called for each row that is not imported; nil: such rows are only counted
	Note     func(message string) // called with messages for the user; nil: they are dropped
}

// Options contains the settings that only some importers support. Each field is an option of
// evalctl dataset import.
type Options struct {
	Locale    string // massive: import only this locale, such as zh-CN
	Text      string // csv: column of the text; promptfoo: variable of the text
	Label     string // csv: column of the label
	ID        string // csv: column of the case ID; "": IDs are generated
	Split     string // csv: column of the split; "": cases have no split
	Delimiter string // csv: character between fields; "": a comma
}

func (o Options) given() map[string]string {
	return map[string]string{"locale": o.Locale, "text": o.Text, "label": o.Label, "id": o.ID, "split": o.Split,
		"delimiter": o.Delimiter}
}

// OptionError is an error in one option: it is invalid, missing or not supported by the importer.
type OptionError struct{ Option, Reason string }

func (e *OptionError) Error() string { return e.Option + ": " + e.Reason }

// delimiter returns the character between the fields of a CSV. A tab may be written as \t.
func (o Options) delimiter() (rune, error) {
	list := []rune(strings.ReplaceAll(o.Delimiter, `\t`, "\t"))
	switch {
	case len(list) == 0:
		return ',', nil
	case len(list) > 1:
		return 0, fmt.Errorf("%s is not one character", quoted(o.Delimiter))
	case strings.ContainsRune("\"\r\n\x00\ufffd", list[0]):
		return 0, fmt.Errorf("%s cannot stand between fields", quoted(o.Delimiter))
	}
	return list[0], nil
}
