// Package intent decides with keyword rules whether a message requests a picture, a web search, the
// time or plain chat. The router falls back to it when no model is available, so it is fast and
// predictable.
//
// A message is first normalized: lower case, half-width, simplified characters, no spaces next to
// Han characters, no emoji or quotations, one line per clause. Negated verbs (不要画) are removed.
// Three tables are then applied; each row is one way to phrase a request (see row). The first row
// in table order that matches any clause decides.
package intent

import "strings"

// RouteSet is a set of routes. The empty set means chat.
type RouteSet uint8

// The routes that rules can choose, in the order in which Decide checks them.
const (
	BitImageGen RouteSet = 1 << iota
	BitTimeQuery
	BitWebSearch
)

// DetectImageGen reports whether text requests a picture (detectImageGenIntent), and by which rule.
// A negative rule is returned with false: it blocked the whole message.
func DetectImageGen(text string) (Rule, bool) {
	b := rules()
	return b.image(b.clauses(text))
}

func (b *ruleBook) image(message []clause) (Rule, bool) {
	rule := first(b.images, message)
	return rule, rule != "" && !strings.HasPrefix(string(rule), "image.neg")
}

// DetectWebSearch reports whether text needs the web (detectWebSearchIntent).
func DetectWebSearch(text string) (Rule, bool) {
	b := rules()
	rule := first(b.searches, b.clauses(text))
	return rule, rule != ""
}

// DetectTime reports whether a local clock can answer text (detectTimeIntent).
func DetectTime(text string) (Rule, bool) {
	b := rules()
	rule := first(b.times, b.clauses(text))
	return rule, rule != ""
}

// Decide checks the open routes in the order image, time, search. Route 0 is chat; its rule is
// empty, or the negative rule that blocked image generation.
func Decide(text string, open RouteSet) (route RouteSet, rule Rule) {
	var stopped Rule
	b := rules()
	message := b.clauses(text)
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
