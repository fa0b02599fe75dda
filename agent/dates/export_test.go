package dates

import (
	"slices"
	"unicode/utf8"
)

// Row is a row of the pattern tables with its example texts.
type Row struct {
	Pattern, Example, Counterexample string
	compiled                         *compiledRow
}

// Rows returns all rows of the pattern tables.
func Rows() (list []Row) {
	for _, r := range slices.Concat(holidayRows(), chinese, numeric, english) {
		list = append(list, Row{
			Pattern:        r.pattern,
			Example:        r.example,
			Counterexample: r.counterexample,
			compiled:       r.compile(),
		})
	}
	return list
}

// Matches reports whether the row's pattern matches in the text.
func (r Row) Matches(text string, today Day) bool {
	p := normalizeText(text)
	for i := 0; i < len(p.text); i++ {
		first, _ := utf8.DecodeRuneInString(p.text[i:])
		if !utf8.RuneStart(p.text[i]) || !startsWord(p.text, i, first) {
			continue
		}
		if _, ok := r.compiled.matchAt(p.text, i, -1, today); ok {
			return true
		}
	}
	return false
}

// StartWordsCover reports whether the row finds every match of its pattern, although it tries only
// at its start words.
func (r Row) StartWordsCover(text string) bool {
	free := *r.compiled
	free.starts = []string{""}
	for i, first := range text {
		if !startsWord(text, i, first) {
			continue
		}
		if m, ok := free.matchAt(text, i, -1, 0); ok {
			if _, ok := r.compiled.matchAt(text, m.from, -1, 0); !ok {
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
