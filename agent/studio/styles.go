package studio

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

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
