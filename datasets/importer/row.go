package importer

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"evalctl/agent"
	"evalctl/eval/suite"
)

// row is an imported case before it is encoded.
type row struct {
	place Position
	id    string
	split string
	tags  []tag
	turns []turn
}

type tag struct{ name, value string }

// turn is the user's input in one turn, with the accepted labels.
type turn struct {
	agent.Turn
	labels []string
}

func singleTurn(text string, labels ...string) []turn {
	return []turn{{Turn: agent.Turn{Text: text}, labels: labels}}
}

// distinct returns the list without duplicates, in the same order.
func distinct(list []string) []string {
	var kept []string
	for _, one := range list {
		if !slices.Contains(kept, one) {
			kept = append(kept, one)
		}
	}
	return kept
}

// check returns an error if package datasets would reject the case.
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
	if err := suite.CheckTools(t.Tools); err != nil {
		return err
	}
	for i, l := range t.labels {
		if err := suite.CheckLabel(l); err != nil {
			return err
		}
		if slices.Contains(t.labels[:i], l) {
			return fmt.Errorf("label %s is given twice", quoted(l))
		}
	}
	return nil
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
