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
	name, folded string // folded is for comparison
	style        int
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
			name = knowledge.ToSimplifiedChinese(strings.ToLower(name))
			l = append(l, styleName{name: name, folded: foldWords(name), style: i})
		}
	}
	return l
}

// find returns the style names in a text, in the order of the text, as the styles spell them. If names
// overlap, it returns the longest. If a text contains several names of the same style, it returns
// one of them.
func (l lexicon) find(text string) (names []string) {
	type mention struct {
		styleName
		from, to int
	}
	var all []mention
	text = foldWords(text)
	for _, n := range l {
		if from := findWord(text, n.folded); from >= 0 {
			all = append(all, mention{styleName: n, from: from, to: from + len(n.folded)})
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
		names = append(names, m.name)
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

// foldWords returns a text for comparison: lower case, simplified script, and every English word in the
// singular and in American spelling. The words need not exist, because both sides are folded.
func foldWords(text string) string {
	var b strings.Builder
	for rest := knowledge.ToSimplifiedChinese(strings.ToLower(text)); rest != ""; {
		n := strings.IndexFunc(rest, func(r rune) bool { return !isLatin(r) })
		if n < 0 {
			n = len(rest)
		}
		b.WriteString(foldWord(rest[:n]))
		_, next := utf8.DecodeRuneInString(rest[n:])
		b.WriteString(rest[n : n+next])
		rest = rest[n+next:]
	}
	return b.String()
}

func foldWord(w string) string {
	if len(w) > 3 && strings.HasSuffix(w, "s") && !strings.HasSuffix(w, "ss") {
		w = w[:len(w)-1]
	}
	switch {
	case hasAnySuffix(w, "she", "che", "xe", "sse", "ze"): // gouache, and wash in washes
		w = w[:len(w)-1]
	case strings.HasSuffix(w, "ie"):
		w = w[:len(w)-2] + "y"
	}
	if len(w) > 4 {
		w = strings.Replace(w, "our", "or", 1)
	}
	return strings.Replace(w, "grey", "gray", 1)
}

func hasAnySuffix(w string, suffixes ...string) bool {
	return slices.ContainsFunc(suffixes, func(s string) bool { return strings.HasSuffix(w, s) })
}
