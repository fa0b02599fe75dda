package intent_test

import (
	"slices"
	"testing"

	"evalctl/agent/toolrouter/intent"
)

var known = []intent.Rule{
	"", "image.neg1", "image.neg2", "image.neg3",
	"image.1", "image.2", "image.3", "image.4", "image.5", "image.6", "image.7", "image.8",
	"image.edit",
	"search.1", "search.2", "search.3", "search.4", "search.5",
	"search.6", "search.7", "search.8", "search.9", "search.10",
	"time.clock", "time.date", "time.weekday", "time.stamp", "time.zone",
}

func FuzzDecide(f *testing.F) {
	for _, m := range messages {
		f.Add(m, uint8(7))
	}
	f.Add("\xff画\x80一张", uint8(1))
	f.Add("Ｄraw  me　a…cat", uint8(7))
	f.Fuzz(func(t *testing.T, text string, routes uint8) {
		open := intent.RouteSet(routes)
		route, rule := intent.Decide(text, open)
		if again, rule2 := intent.Decide(text, open); again != route || rule2 != rule {
			t.Fatalf("%q: got %v %s, then %v %s", text, route, rule, again, rule2)
		}
		if !slices.Contains(known, rule) {
			t.Fatalf("%q: unknown rule %q", text, rule)
		}
		if wantRoute, wantRule := oneByOne(text, open); route != wantRoute || rule != wantRule {
			t.Fatalf("%q: Decide says %v %s, the detectors %v %s", text, route, rule, wantRoute, wantRule)
		}
	})
}

// oneByOne is a simple implementation of Decide for comparison: it calls one detector after
// another.
func oneByOne(text string, open intent.RouteSet) (intent.RouteSet, intent.Rule) {
	var stopped intent.Rule
	if open&intent.RouteImageGen != 0 {
		rule, ok := intent.DetectImageGen(text)
		if ok {
			return intent.RouteImageGen, rule
		}
		stopped = rule
	}
	if open&intent.RouteTimeQuery != 0 {
		if rule, ok := intent.DetectTime(text); ok {
			return intent.RouteTimeQuery, rule
		}
	}
	if open&intent.RouteWebSearch != 0 {
		if rule, ok := intent.DetectWebSearch(text); ok {
			return intent.RouteWebSearch, rule
		}
	}
	return 0, stopped
}
