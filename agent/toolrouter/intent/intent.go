// Package intent finds out with keyword rules whether a message requests an image, a web search or
// the local time; anything else is plain chat. The tool router uses it if no model is available or
// confident enough. It is fast and deterministic.
//
// A message is normalized first: lower case, half-width and simplified characters, one line per
// clause, without emoji, quotations and spaces next to Han characters. Negated verbs (不要画) are
// removed. Then three tables of patterns are applied, one for each kind of request. In each table,
// the first pattern that matches any clause decides.
package intent

import "slices"

// RouteSet is a bit set of routes. The empty set means chat, which is always available.
type RouteSet uint8

// The routes that rules can choose. If a message matches several, Decide chooses the first one in
// this order.
const (
	RouteImageGen  RouteSet = 1 << iota // an image is requested
	RouteTimeQuery                      // the local time is requested
	RouteWebSearch                      // a web search is requested
)

// DetectImageGen reports whether a text requests an image, and returns the rule that matched. For a
// text that only resembles a request, it returns false and an image.neg rule. It implements the
// specified function detectImageGenIntent.
func DetectImageGen(text string) (Rule, bool) {
	b := rules()
	return b.image(b.clauses(text))
}

// image returns the image rule of a message. A clause that only resembles a request does not count,
// but another clause of the message may still request an image.
func (b *ruleBook) image(message []clause) (Rule, bool) {
	negative := first(b.notImages, message)
	if negative != "" {
		message = slices.DeleteFunc(slices.Clone(message), func(c clause) bool {
			return first(b.notImages, []clause{c}) != ""
		})
	}
	if rule := first(b.images, message); rule != "" {
		return rule, true
	}
	return negative, false
}

// DetectImageEdit reports whether a text requests a change to an image, or another version of it, and
// returns the rule that matched. It requires that the conversation contains an image.
func DetectImageEdit(text string) (Rule, bool) {
	b := rules()
	rule := first(b.imageEdits, b.clauses(text))
	return rule, rule != ""
}

// DetectWebSearch reports whether a text requires a web search, and returns the rule that matched.
// It implements the specified function detectWebSearchIntent.
func DetectWebSearch(text string) (Rule, bool) {
	b := rules()
	rule := b.search(b.clauses(text))
	return rule, rule != ""
}

// search returns the search rule of a message. If a clause refuses a search, only another clause that
// requests one counts: 不要搜新闻，搜一下天气.
func (b *ruleBook) search(message []clause) Rule {
	refuses := func(c clause) bool { return c.refusesSearch }
	if !slices.ContainsFunc(message, refuses) {
		return first(b.searches, message)
	}
	message = slices.DeleteFunc(slices.Clone(message), refuses)
	for _, p := range b.searches {
		if p.asksSearch && first([]pattern{p}, message) != "" {
			return p.rule
		}
	}
	return ""
}

// DetectTime reports whether a text is a question that the local clock can answer, and returns the
// rule that matched. It implements the specified function detectTimeIntent.
func DetectTime(text string) (Rule, bool) {
	b := rules()
	rule := first(b.times, b.clauses(text))
	return rule, rule != ""
}

// Decide returns the route that a text requests. It checks only the routes in open: first image
// generation, then time, then web search. Route 0 is chat; its rule is empty, or the image.neg rule
// that excluded image generation.
func Decide(text string, open RouteSet) (route RouteSet, rule Rule) {
	var stopped Rule
	b := rules()
	message := b.clauses(text)
	if open&RouteImageGen != 0 {
		rule, ok := b.image(message)
		if ok {
			return RouteImageGen, rule
		}
		stopped = rule
	}
	if open&RouteTimeQuery != 0 {
		if rule := first(b.times, message); rule != "" {
			return RouteTimeQuery, rule
		}
	}
	if open&RouteWebSearch != 0 {
		if rule := b.search(message); rule != "" {
			return RouteWebSearch, rule
		}
	}
	return 0, stopped
}
