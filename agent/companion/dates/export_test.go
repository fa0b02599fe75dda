package dates

import (
	"slices"
	"unicode/utf8"
)

// Example is a row of the table with its examples.
type Example struct {
	Ask, Yes, No string
	pattern      *pattern
}

// Rows are all rows of the table.
func Rows() (list []Example) {
	for _, r := range slices.Concat(chinese, numeric, english) {
		list = append(list, Example{Ask: r.ask, Yes: r.yes, No: r.no, pattern: r.compile()})
	}
	return list
}

// Fires reports whether the row finds a date in the text.
func (e Example) Fires(text string, today Day) bool {
	p := normalizeText(text)
	for i := 0; i < len(p.text); i++ {
		first, _ := utf8.DecodeRuneInString(p.text[i:])
		if !utf8.RuneStart(p.text[i]) || !startsWord(p.text, i, first) {
			continue
		}
		if _, ok := e.pattern.at(p.text, i, -1, today); ok {
			return true
		}
	}
	return false
}

// Begins reports whether the row's start words cover every match of its pattern.
func (e Example) Begins(text string) bool {
	free := *e.pattern
	free.on = []string{""}
	for i, first := range text {
		if !startsWord(text, i, first) {
			continue
		}
		if m, ok := free.at(text, i, -1, 0); ok {
			if _, ok := e.pattern.at(text, m.from, -1, 0); !ok {
				return false
			}
		}
	}
	return true
}

const (
	ReasonInvalidDate = reasonInvalidDate
	Reversed          = reversed
	TooLong           = tooLong
)
