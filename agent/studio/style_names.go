package studio

import (
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"evalctl/agent/knowledge"
)

var shippedStyles = sync.OnceValues(knowledge.ShippedStyles)

// lexicon contains the names of styles in lower case, to find them in texts.
type lexicon []styleName

type styleName struct {
	name  string
	style int
}

// lexiconOf returns the names of the styles. If styles is nil, it returns the names of the built-in
// styles.
func lexiconOf(styles []knowledge.Style) (lexicon, error) {
	if styles == nil {
		return shippedLexicon()
	}
	return newLexicon(styles), nil
}

var shippedLexicon = sync.OnceValues(func() (lexicon, error) {
	styles, err := shippedStyles()
	return newLexicon(styles), err
})

func newLexicon(styles []knowledge.Style) (l lexicon) {
	for i, s := range styles {
		for _, name := range s.Names() {
			l = append(l, styleName{name: knowledge.ToSimplifiedChinese(strings.ToLower(name)), style: i})
		}
	}
	return l
}

// find returns the style names in a text, in the order of the text. If names overlap, it returns
// the longest. If a text contains several names of the same style, it returns one of them.
func (l lexicon) find(text string) (names []string) {
	type mention struct{ from, to, style int }
	var all []mention
	text = knowledge.ToSimplifiedChinese(strings.ToLower(text))
	for _, n := range l {
		if from := findWord(text, n.name); from >= 0 {
			all = append(all, mention{from: from, to: from + len(n.name), style: n.style})
		}
	}
	slices.SortStableFunc(all, func(a, b mention) int { return (b.to - b.from) - (a.to - a.from) })
	var chosen []mention
	for _, m := range all {
		if !slices.ContainsFunc(chosen,
			func(k mention) bool { return k.style == m.style || m.from < k.to && k.from < m.to }) {
			chosen = append(chosen, m)
		}
	}
	slices.SortFunc(chosen, func(a, b mention) int { return a.from - b.from })
	for _, m := range chosen {
		names = append(names, text[m.from:m.to])
	}
	return names
}

// findWord returns the position of a name in a text, or -1. A name in Latin script must not be part
// of a longer word.
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
