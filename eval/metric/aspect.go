package metric

import (
	"strings"

	"evalctl/eval"
)

// aspects has the share of trials that pass, for every scorer that judges one
// side of the answer; the metric bears the scorer's name. Of values that are
// looked for (what is retrieved, the slots) it is over cases that expect some:
// that nothing is found where nothing is to be found is no hit. Cases that expect
// none have the share of those that find something nevertheless.
type aspects struct{ all map[string]*share }

// hits are what the scores of values that are looked for are called, and falseHits
// ends the name of their share where nothing is expected.
const (
	retrieved = "retrieval.hit_rate"
	slots     = "slots."
	falseHits = "false_hits"
)

func (m *aspects) Add(trials []eval.Result) {
	for _, r := range trials {
		for _, s := range r.Scores {
			if s.Name == eval.RouteScore || s.Name == eval.FallbackScore { // by name: a row from the journal has no Aspect
				continue
			}
			name, v := aspectOf(s)
			m.share(name).judge(v)
		}
	}
	for _, s := range m.all {
		s.endCase()
	}
}

// aspectOf says which share a score counts in, and how.
func aspectOf(s eval.Score) (name string, v eval.Verdict) {
	if s.Name != retrieved && !strings.HasPrefix(s.Name, slots) || expectsSome(s.Want) {
		return s.Name, s.Verdict
	}
	name = s.Name + "." + falseHits
	if s.Name == retrieved {
		name = "retrieval." + falseHits
	}
	if s.Verdict == eval.Unjudged {
		return name, s.Verdict
	}
	return name, eval.PassIf(s.Verdict == eval.Fail)
}

func expectsSome(want eval.OneOf) bool {
	for _, w := range want {
		if w != "" {
			return true
		}
	}
	return false
}

func (m *aspects) share(name string) *share {
	if m.all == nil {
		m.all = map[string]*share{}
	}
	if m.all[name] == nil {
		m.all[name] = &share{}
	}
	return m.all[name]
}

func (m *aspects) Close(into *eval.CellSummary) {
	for name, s := range m.all {
		into.Metrics[name] = s.estimate()
	}
}
