package suite

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/goccy/go-yaml"

	"evalctl/agent/file"
	"evalctl/agent/system"
	"evalctl/eval/floor"
)

// MaxLabels, MaxAgentLabels and maxLabelLength limit the labels of a target with free labels.
const (
	MaxLabels      = floor.MaxLabels // labels of a target that shows them to a model
	MaxAgentLabels = 10_000          // labels of an external agent, which does not receive them
	maxLabelLength = 200             // characters
)

// MaxLabelsOf returns the maximum number of labels in the dataset of a system.
func MaxLabelsOf(of system.System) int {
	if of.IsExternal() {
		return MaxAgentLabels
	}
	return MaxLabels
}

// Labels contains the free labels of a suite: either a list, or the path of a label file. Each line
// of the file is a label, optionally followed by a tab and a description.
type Labels struct {
	File string         // path of a label file; "": List applies
	List []system.Label // labels in order
}

var (
	_ yaml.InterfaceUnmarshaler = (*Labels)(nil)
	_ yaml.InterfaceMarshaler   = Labels{}
)

// UnmarshalYAML reads the path of a label file, or a list of labels. A label is a name, or an
// object with name and description.
func (l *Labels) UnmarshalYAML(decode func(any) error) error {
	var raw any
	if err := decode(&raw); err != nil {
		return err
	}
	list, ok := raw.([]any)
	if !ok {
		if raw != nil {
			l.File = fmt.Sprint(raw)
		}
		return nil
	}
	for i, one := range list {
		label, err := labelOf(one)
		if err != nil {
			return &fieldError{path: fmt.Sprintf("labels[%d]", i), err: err}
		}
		l.List = append(l.List, label)
	}
	return nil
}

func labelOf(one any) (system.Label, error) {
	if one == nil {
		return system.Label{}, errors.New("is empty")
	}
	fields, ok := one.(map[string]any)
	if !ok {
		return system.Label{Name: fmt.Sprint(one)}, nil
	}
	var l system.Label
	for name, value := range fields {
		switch name {
		case "name":
			l.Name = fmt.Sprint(value)
		case "description":
			l.Description = fmt.Sprint(value)
		default:
			return l, fmt.Errorf("unknown field %q (known: name, description)", name)
		}
	}
	return l, nil
}

// MarshalYAML writes the format that UnmarshalYAML reads.
func (l Labels) MarshalYAML() (any, error) {
	if l.List == nil {
		return l.File, nil
	}
	var list []yaml.MapSlice
	for _, label := range l.List {
		one := yaml.MapSlice{{Key: "name", Value: label.Name}}
		if label.Description != "" {
			one = append(one, yaml.MapItem{Key: "description", Value: label.Description})
		}
		list = append(list, one)
	}
	return list, nil
}

// IsZero reports whether the suite gives no labels.
func (l Labels) IsZero() bool { return l.File == "" && l.List == nil }

// ParseLabels parses the value of --labels. It is a list such as a,b,c, or the path of a label
// file.
func ParseLabels(text string) (Labels, error) {
	// A text without a comma is a path, because a single label would offer no choice.
	if _, err := os.Stat(text); err == nil || !strings.Contains(text, ",") {
		return Labels{File: text}, err
	}
	var l Labels
	for name := range strings.SplitSeq(text, ",") {
		l.List = append(l.List, system.Label{Name: strings.TrimSpace(name)})
	}
	return l, checkLabels(l.List, MaxLabels)
}

// ParseAliases parses the values of --alias, each in the form ALIAS=LABEL. It returns a map with the
// label for each alias, or nil if there are no values.
func ParseAliases(values []string) (map[string]string, error) {
	if len(values) == 0 {
		return nil, nil
	}
	aliases := map[string]string{}
	for _, value := range values {
		alias, name, ok := strings.Cut(value, "=")
		if alias, name = strings.TrimSpace(alias), strings.TrimSpace(name); !ok || alias == "" || name == "" {
			return nil, fmt.Errorf("%.80q is not ALIAS=LABEL, as in None=oos", value)
		}
		if other, twice := aliases[alias]; twice && other != name {
			return nil, fmt.Errorf("%.80q is given twice, for %.80q and for %.80q", alias, other, name)
		}
		aliases[alias] = name
	}
	return aliases, nil
}

// maxLabelsFile is the maximum size of a label file, in bytes.
const maxLabelsFile = 1 << 20

// ReadLabels parses a label file. Each line is a label, optionally followed by a tab and a
// description. Errors contain name (the file name) and the line.
func ReadLabels(name string, from io.Reader) (list []system.Label, err error) {
	lines := bufio.NewScanner(io.LimitReader(from, maxLabelsFile+1))
	lines.Buffer(nil, maxLabelsFile)
	read := 0
	for n := 1; lines.Scan(); n++ {
		if read += len(lines.Bytes()) + 1; read > maxLabelsFile {
			return nil, fmt.Errorf("%s: is longer than %d bytes", name, maxLabelsFile)
		}
		line := strings.TrimPrefix(lines.Text(), "\ufeff")
		if strings.TrimSpace(line) == "" {
			continue
		}
		label, description, _ := strings.Cut(line, "\t")
		list = append(list, system.Label{Name: strings.TrimSpace(label), Description: strings.TrimSpace(description)})
		if err := checkLabels(list, MaxLabels); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, n, err)
		}
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("%s: contains no label", name)
	}
	return list, nil
}

func openLabels(path string) ([]system.Label, error) {
	b, err := file.Read(path, maxLabelsFile)
	if err != nil {
		return nil, err
	}
	return ReadLabels(path, bytes.NewReader(b))
}

// checkLabels returns an error if a label is invalid or is given twice, or if there are too many.
func checkLabels(list []system.Label, most int) error {
	if len(list) > most {
		return fmt.Errorf("%d labels are more than %d", len(list), most)
	}
	seen := map[string]bool{}
	for _, l := range list {
		if err := CheckLabel(l.Name); err != nil {
			return err
		}
		if seen[l.Name] {
			return fmt.Errorf("label %q is given twice", l.Name)
		}
		seen[l.Name] = true
		if strings.ContainsFunc(l.Description, unicode.IsControl) {
			return fmt.Errorf("the description of label %q holds a control character", l.Name)
		}
	}
	return nil
}

// CheckLabel returns an error for a label that cannot be shown on one line of a report or prompt.
func CheckLabel(name string) error {
	switch {
	case strings.TrimSpace(name) == "":
		return errors.New("label is empty")
	case name != strings.TrimSpace(name):
		return fmt.Errorf("label %.60q begins or ends with a space", name)
	case !utf8.ValidString(name):
		return fmt.Errorf("label %.60q is not valid UTF-8", name)
	case utf8.RuneCountInString(name) > maxLabelLength:
		return fmt.Errorf("label %.60q… has more than %d characters", name, maxLabelLength)
	}
	for _, r := range name {
		if !unicode.IsPrint(r) {
			return fmt.Errorf("label %.60q holds a character that cannot be printed", name)
		}
	}
	return nil
}
