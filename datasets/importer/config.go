package importer

import (
	"fmt"
	"io"
	"strings"
)

// Config is what to read and where it goes.
type Config struct {
	Path     string
	Options  Options
	Out      io.Writer            // gets the cases, a write a line
	Rejected func(Rejection)      // nil: they are only counted
	Note     func(message string) // told what a user should know besides; nil: nobody is
}

// Options are what some formats need to be told.
type Options struct {
	Locale    string // massive: only this one, such as zh-CN
	Text      string // csv: the column; promptfoo: the variable
	Label     string // csv: the column
	ID        string // csv: the column; "": ids are made
	Split     string // csv: the column; "": no splits
	Delimiter string // csv: one character; "": a comma
}

func (o Options) given() map[string]string {
	return map[string]string{"locale": o.Locale, "text": o.Text, "label": o.Label, "id": o.ID, "split": o.Split, "delimiter": o.Delimiter}
}

// OptionError names the option that is wrong.
type OptionError struct{ Option, Reason string }

func (e *OptionError) Error() string { return e.Option + ": " + e.Reason }

// delimiter reads one character; a tab may be written \t.
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
