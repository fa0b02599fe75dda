// Package intent decides by keywords what a user's message wants: a picture, a
// look into the web, the time, or just talk. The router falls back on it when
// no model can be asked, so it must be fast and predictable, not wise.
//
// A message is first made plain: lower case, narrow, simplified, without spaces
// beside Han, emoji and quotations, one line a clause; verbs that are refused
// (不要画) are struck out. Then three tables are gone through, a row a way to ask
// (see row); of the rows that fire in any clause the first in order is told.
package intent

import "strings"

// RouteSet is a set of routes; chat is what remains when none is taken.
type RouteSet uint8

// The routes that rules can choose, in the order in which they are asked.
const (
	BitImageGen RouteSet = 1 << iota
	BitTimeQuery
	BitWebSearch
)

// DetectImageGen tells whether text asks for a picture (detectImageGenIntent), and by
// which rule. A negative rule comes with false: it stopped the whole message.
func DetectImageGen(text string) (Rule, bool) {
	b := rules()
	return b.image(b.plain(text))
}

func (b *book) image(message []clause) (Rule, bool) {
	rule := first(b.images, message)
	return rule, rule != "" && !strings.HasPrefix(string(rule), "image.neg")
}

// DetectWebSearch tells whether text needs the web (detectWebSearchIntent).
func DetectWebSearch(text string) (Rule, bool) {
	b := rules()
	rule := first(b.searches, b.plain(text))
	return rule, rule != ""
}

// DetectTime tells whether a local clock can answer text (detectTimeIntent).
func DetectTime(text string) (Rule, bool) {
	b := rules()
	rule := first(b.times, b.plain(text))
	return rule, rule != ""
}

// Decide asks the open routes in the order image, time, search. With route 0,
// chat, the rule is empty, or the negative one that kept image generation out.
func Decide(text string, open RouteSet) (route RouteSet, rule Rule) {
	var stopped Rule
	b := rules()
	message := b.plain(text)
	if open&BitImageGen != 0 {
		rule, ok := b.image(message)
		if ok {
			return BitImageGen, rule
		}
		stopped = rule
	}
	if open&BitTimeQuery != 0 {
		if rule := first(b.times, message); rule != "" {
			return BitTimeQuery, rule
		}
	}
	if open&BitWebSearch != 0 {
		if rule := first(b.searches, message); rule != "" {
			return BitWebSearch, rule
		}
	}
	return 0, stopped
}
