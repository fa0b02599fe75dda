package importer

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	v2 "github.com/go-json-experiment/json"

	"evalctl/agent"
)

const (
	maxField = 1 << 20  // bytes of a text, and of a line or value that is read
	maxLabel = 200      // characters
	maxLine  = 16 << 20 // bytes of a case: the loader takes no longer line
)

// row is a case before it is written.
type row struct {
	place Place
	id    string
	split string
	tags  []tag
	turns []turn
}

type tag struct{ name, value string }

// turn is what the user sends, and the labels that are right.
type turn struct {
	agent.Turn
	labels []string
}

// say makes the turn of a plain text.
func say(text string, labels ...string) []turn {
	return []turn{{Turn: agent.Turn{Text: text}, labels: labels}}
}

// check finds what the loader would refuse, in words about the source.
func (r row) check() error {
	if err := checkPrintable(r.id); err != nil {
		return fmt.Errorf("id: %w", err)
	}
	for _, t := range r.turns {
		if err := t.check(); err != nil {
			return err
		}
	}
	for _, t := range r.tags {
		if err := checkPrintable(t.value); t.value != "" && err != nil {
			return fmt.Errorf("%s: %w", t.name, err)
		}
	}
	return nil
}

func (t turn) check() error {
	switch {
	case strings.TrimSpace(t.Text) == "":
		return errors.New("text is empty")
	case len(t.Text) > maxField:
		return errTooLong
	case !utf8.ValidString(t.Text):
		return errors.New("text is not valid UTF-8")
	case strings.ContainsRune(t.Text, 0):
		return errors.New("text holds a NUL")
	case len(t.labels) == 0:
		return errors.New("label is missing")
	}
	for i, l := range t.labels {
		if err := checkLabel(l); err != nil {
			return fmt.Errorf("label: %w", err)
		}
		if slices.Contains(t.labels[:i], l) {
			return fmt.Errorf("label: %s is given twice", quoted(l))
		}
	}
	return nil
}

func checkLabel(label string) error {
	if strings.TrimSpace(label) == "" {
		return errors.New("is empty")
	}
	if n := utf8.RuneCountInString(label); n > maxLabel {
		return fmt.Errorf("has %d characters, more than %d", n, maxLabel)
	}
	return checkPrintable(label)
}

func checkPrintable(s string) error {
	switch {
	case s == "":
		return errors.New("is empty")
	case len(s) > maxField:
		return errTooLong
	case !utf8.ValidString(s):
		return errors.New("is not valid UTF-8")
	}
	for _, c := range s {
		if !unicode.IsPrint(c) {
			return fmt.Errorf("%s holds a character that cannot be printed", quoted(s))
		}
	}
	return nil
}

// shortLine is a case with a text and nothing else; other strings become tags.
type shortLine struct {
	ID    string            `json:"id"`
	Text  string            `json:"text"`
	Label any               `json:"label"`
	Split string            `json:"split,omitempty"`
	Tags  map[string]string `json:",inline"`
}

type fullLine struct {
	ID string `json:"id"`
	*fullTurn
	Turns []fullTurn `json:"turns,omitempty"`
	Tags  []string   `json:"tags,omitempty"`
	Split string     `json:"split,omitempty"`
}

type fullTurn struct {
	Input  agent.Turn `json:"input"`
	Expect struct {
		Label any `json:"label"`
	} `json:"expect"`
}

// line writes the case as the loader reads it.
func (r row) line() ([]byte, error) {
	line, err := v2.Marshal(r.form(), v2.Deterministic(true))
	if err != nil {
		return nil, errors.New("cannot be written as JSON: is it valid UTF-8?")
	}
	if len(line) >= maxLine {
		return nil, fmt.Errorf("makes a line of more than %d MiB", maxLine>>20)
	}
	return append(line, '\n'), nil
}

func (r row) form() any {
	if len(r.turns) == 1 && r.turns[0].isPlain() {
		short := shortLine{ID: r.id, Text: r.turns[0].Text, Label: oneOrMore(r.turns[0].labels), Split: r.split, Tags: map[string]string{}}
		for _, t := range r.tags {
			if t.value != "" {
				short.Tags[t.name] = t.value
			}
		}
		return short
	}
	full := fullLine{ID: r.id, Split: r.split}
	for _, t := range r.tags {
		if t.value != "" {
			full.Tags = append(full.Tags, t.name+":"+t.value)
		}
	}
	for _, t := range r.turns {
		one := fullTurn{Input: t.Turn}
		one.Expect.Label = oneOrMore(t.labels)
		full.Turns = append(full.Turns, one)
	}
	if len(full.Turns) == 1 {
		full.fullTurn, full.Turns = &full.Turns[0], nil
	}
	return full
}

func (t turn) isPlain() bool {
	return len(t.History) == 0 && len(t.Documents) == 0 && len(t.State) == 0
}

func oneOrMore(labels []string) any {
	if len(labels) == 1 {
		return labels[0]
	}
	return labels
}

func sortedNames(m map[string]json.RawMessage) []string {
	if len(m) == 0 {
		return nil // the usual case, millions of times
	}
	return slices.Sorted(maps.Keys(m))
}
