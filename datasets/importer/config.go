package importer

import (
	"fmt"
	"io"
	"strings"
)

// Config configures an import: what to read, where to write, and functions for rejected rows and
// messages.
type Config struct {
	Path      string               // file or directory to import
	MorePaths []string             // further files or directories of the same format
	Options   Options              // settings of the format
	Out       io.Writer            // receives the cases as JSON Lines, with one write for each line
	Rejected  func(Rejection)      // called for each row that is not imported; nil: such rows are only counted
	Note      func(message string) // called with messages for the user; nil: they are dropped
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

	// split of all cases: train, dev, test; SplitFromFileName: the one in each path; "": that of
	// each case
	SplitName string

	TextPath  string // json: path of the text in an object; "": a member with a usual name
	LabelPath string // json: path of the label, or of the list of labels; "": a member with a usual name
	IDPath    string // json: path of the case ID; "": the member id, or IDs are generated
	SplitPath string // json: path of the split; "": a member with a usual name, or cases have no split
	ItemsPath string // json: path of the list of objects in a document; "": it is found
}

func (o Options) given() map[string]string {
	return map[string]string{"locale": o.Locale, "text": o.Text, "label": o.Label, "id": o.ID, "split": o.Split,
		"delimiter": o.Delimiter, "text-path": o.TextPath,
		"label-path": o.LabelPath, "id-path": o.IDPath, "split-path": o.SplitPath, "items-path": o.ItemsPath}
}

// SplitFromFileName is a value of Options.SplitName: the split in the name of each file, such as
// train.csv.
const SplitFromFileName = "file"

// constantSplit returns the split of all cases in a file or directory; "": each case has its own.
func (o Options) constantSplit(path string) (split string, err error) {
	if o.SplitName != SplitFromFileName {
		split, err = parseSplit(o.SplitName)
	} else if split = splitOf(path); split == "" {
		err = fmt.Errorf("%s has no train, dev or test in its name", oneLine(path))
	}
	if err != nil {
		return "", &OptionError{"split-name", err.Error()}
	}
	return split, nil
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
