package studio

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// maxStyles is the maximal number of styles in a search and in an image prompt.
const maxStyles = 3

var (
	separator = regexp.MustCompile(`(?i)[,，、;；/|+＋&＆×]|\b(?:and|with|plus|meets)\b`)
	// conjunction matches words for "and" between style names. The word 和 may also be part of a
	// name, as in 和风.
	conjunction = regexp.MustCompile(`以及|结合|混搭|混合|融合|[和与及跟加]`)
)

// splitNames returns the style names in a text: known names, and unknown names between separators.
func (l lexicon) splitNames(text string) []string {
	known := l.find(text)
	names := known
	for _, part := range splitStyles(text) {
		folded := foldWords(part)
		if !slices.ContainsFunc(known, func(k string) bool {
			return findWord(folded, foldWords(k)) >= 0 || strings.Contains(foldWords(k), folded)
		}) {
			names = append(names, part)
		}
	}
	return names[:min(len(names), maxStyles)]
}

func splitStyles(text string) (list []string) {
	for _, part := range separator.Split(text, -1) {
		from := 0
		for _, at := range conjunction.FindAllStringIndex(part, -1) {
			if isWord(part[from:at[0]]) && isWord(part[at[1]:]) {
				list = append(list, strings.TrimSpace(part[from:at[0]]))
				from = at[1]
			}
		}
		if last := strings.TrimSpace(part[from:]); last != "" {
			list = append(list, last)
		}
	}
	return list
}

func isWord(text string) bool { return utf8.RuneCountInString(strings.TrimSpace(text)) >= 2 }
