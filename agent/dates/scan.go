package dates

import (
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
)

// maxDates limits the dates that are found in one text.
const maxDates = 32

// table returns the compiled patterns, grouped by the first character of a date and with the start words of that
// character. Earlier patterns have precedence.
var table = sync.OnceValue(func() map[rune][]*compiledRow {
	begins := map[rune][]*compiledRow{}
	for _, r := range slices.Concat(holidayRows(), chinese, numeric, english) {
		compiled, byFirst := r.compile(), map[rune]*compiledRow{}
		for _, word := range compiled.starts {
			first, _ := utf8.DecodeRuneInString(word)
			if byFirst[first] == nil {
				p := *compiled
				p.starts = nil
				byFirst[first], begins[first] = &p, append(begins[first], &p)
			}
			byFirst[first].starts = append(byFirst[first].starts, word)
		}
	}
	return begins
})

// scan finds the dates in a normalized text from left to right.
func scan(text string, today Day) (list []foundDate) {
	begins, ended, sure := table(), -1, 0
	for i := 0; i < len(text) && sure < 2*maxDates; {
		first, size := utf8.DecodeRuneInString(text[i:])
		if first == '《' {
			i += max(strings.Index(text[i:], "》"), 0)
		}
		if rows := begins[first]; rows != nil &&
			(startsWord(text, i, first) || ended >= 0 && strings.Trim(text[ended:i], "-.") == "") {
			if m, ok := firstOf(rows, text, i, ended, today); ok {
				list = append(list, m)
				if !m.unsure {
					sure++
				}
				i, ended = m.to, m.to
				continue
			}
		}
		i += size
	}
	return list
}

func firstOf(rows []*compiledRow, text string, i, ended int, today Day) (foundDate, bool) {
	for _, p := range rows {
		if m, ok := p.matchAt(text, i, ended, today); ok {
			return m, true
		}
	}
	return foundDate{}, false
}
