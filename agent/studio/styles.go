package studio

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"evalctl/agent/knowledge"
)

// shippedStyles are read once.
var shippedStyles = sync.OnceValues(knowledge.Shipped)

// maxStyles is how many styles are looked up, and enrich a prompt, at most.
const maxStyles = 3

var (
	// separator parts styles that are named in one breath.
	separator = regexp.MustCompile(`(?i)[,，、;；/|+＋&＆×]|\b(?:and|with|plus|meets)\b`)
	// conjunction does so between words; 和 may also belong to one: 和风.
	conjunction = regexp.MustCompile(`以及|结合|混搭|混合|融合|[和与及跟加]`)
)

// several are the styles that one text names.
func several(text string) (names []string) {
	for _, part := range separator.Split(text, -1) {
		from := 0
		for _, at := range conjunction.FindAllStringIndex(part, -1) {
			if isWord(part[from:at[0]]) && isWord(part[at[1]:]) {
				names = append(names, strings.TrimSpace(part[from:at[0]]))
				from = at[1]
			}
		}
		if name := strings.TrimSpace(part[from:]); name != "" {
			names = append(names, name)
		}
	}
	return names[:min(len(names), maxStyles)]
}

// isWord tells two characters and more.
func isWord(text string) bool { return utf8.RuneCountInString(strings.TrimSpace(text)) >= 2 }

// named are the names of styles that a text mentions, in its order: of those
// that overlap the longest, of each style one.
func named(text string, styles []knowledge.Style) (names []string) {
	type mention struct{ from, to, style int }
	var all []mention
	text = strings.ToLower(text)
	for i, s := range styles {
		for _, name := range s.Names() {
			if from := findWord(text, strings.ToLower(name)); from >= 0 {
				all = append(all, mention{from: from, to: from + len(name), style: i})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b mention) int { return (b.to - b.from) - (a.to - a.from) })
	var kept []mention
	for _, m := range all {
		if !slices.ContainsFunc(kept, func(k mention) bool { return k.style == m.style || m.from < k.to && k.from < m.to }) {
			kept = append(kept, m)
		}
	}
	slices.SortFunc(kept, func(a, b mention) int { return a.from - b.from })
	for _, m := range kept {
		names = append(names, text[m.from:m.to])
	}
	return names
}

// findWord is where a name first stands in a text, -1 where it does not. A name
// in letters of an alphabet is no part of a longer word.
func findWord(text, name string) int {
	for from := 0; ; {
		i := strings.Index(text[from:], name)
		if i < 0 {
			return -1
		}
		i += from
		before, _ := utf8.DecodeLastRuneInString(text[:i])
		after, _ := utf8.DecodeRuneInString(text[i+len(name):])
		first, _ := utf8.DecodeRuneInString(name)
		last, _ := utf8.DecodeLastRuneInString(name)
		if !(isLatin(before) && isLatin(first)) && !(isLatin(last) && isLatin(after)) {
			return i
		}
		from = i + len(name)
	}
}

func isLatin(r rune) bool { return unicode.Is(unicode.Latin, r) || unicode.IsDigit(r) }
