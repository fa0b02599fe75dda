package importer

import (
	"fmt"
	"io"
	"strings"
)

// Config configures an import.
type Config struct {
	Path     string
	Options  Options
	Out      io.Writer            // receives the cases, one write per line
	Rejected func(Rejection)      // nil: only counted
	Note     func(message string) // called with further information for the user; nil: ignored
}

// Options are settings that some formats need.
type Options struct {
	Locale    string // massive: only this locale, such as zh-CN
	Text      string // csv: the column; promptfoo: the variable
	Label     string // csv: the column
	ID        string // csv: the column; "": IDs are generated
	Split     string // csv: the column; "": no splits
	Delimiter string // csv: one character; "": a comma
}

func (o Options) given() map[string]string {
	return map[string]string{"locale": o.Locale, "text": o.Text, "label": o.Label, "id": o.ID, "split": o.Split,
		"delimiter": o.Delimiter}
}

// OptionError names an invalid option.
type OptionError struct{ Option, Reason string }

func (e *OptionError) Error() string { return e.Option + ": " + e.Reason }

// delimiter parses one character; a tab may be written \t.
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
