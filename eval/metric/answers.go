package metric

import (
	"cmp"

	"evalctl/eval"
)

// answers measures how often the deciding model's answer was used. router.answer_used is the
// share of the decisions in which the model was called that are the model's. Of all of them,
// router.answer_unused.REASON is the share in which its answer was not used for that reason: it
// was invalid (malformed_json, unknown_label …), a refusal (model_refusal), below the threshold
// (low_confidence), overruled by a gate, or the call failed. router.decided_instead.SOURCE
// is the share that SOURCE decided in its place.
//
// They count turns, and the steps of a turn that is decided again and again, of which a
// correction by preconditions is no unused answer. A turn in which nothing was decided is
// missing. A cell in which no model was called to decide has none of this.
type answers struct {
	node     string // of the part that decides; "": unknown
	used     share
	why, who *split
}

func newAnswers(node string) *answers {
	return &answers{node: node, used: newRandomShare(), why: newSplit(newRandomShare), who: newSplit(newRandomShare)}
}

// Sources and reasons that rows do not name.
const (
	nobody       = "nobody"    // source: the answer counts as an invalid label, or the model is called again
	byThreshold  = "fallback"  // source: the fallback label of a classifier
	overruled    = "overruled" // reason: a gate is closed, or the inputs leave no choice
	invalidLabel = "invalid"   // reason: of a row that does not say
)

// ofTheModel is the source of a decision by the model.
const ofTheModel = "llm"

func (m *answers) Add(trials []eval.Result) {
	why, who := map[string]int64{}, map[string]int64{}
	decided := int64(0)
	count := func(used bool, reason, source string) {
		decided++
		m.used.add(used)
		if !used {
			why[reason]++
			who[source]++
		}
	}
	for _, r := range trials {
		if r.ExternalRequests > 0 { // a custom agent: which models it calls is not known
			continue
		}
		for i, t := range r.Turns {
			failed, called := m.visited(r, i+1)
			switch {
			case !called:
			case len(t.Steps) > 0:
				for _, s := range t.Steps {
					if s.IsDecision() {
						isNone := s.Proposed == "" || s.DecidedBy == ofTheModel && s.Executed == ""
						count(!isNone, cmp.Or(s.Reason, invalidLabel), nobody)
					}
				}
			case t.DecidedBy == "":
				m.used.missing++
			case t.ModelDecision == nil && t.DecidedBy == ofTheModel:
				count(false, cmp.Or(failed, invalidLabel), nobody)
			case t.ModelDecision == nil:
				count(false, cmp.Or(failed, invalidLabel), t.DecidedBy)
			case t.ModelDecision.IfAccepted != "":
				count(false, overruled, t.DecidedBy)
			case failed != "" && t.DecidedBy == ofTheModel:
				count(false, failed, byThreshold)
			case failed != "":
				count(false, failed, t.DecidedBy)
			default:
				count(true, "", "")
			}
		}
	}
	m.used.endCase()
	m.why.addCase(why, decided)
	m.who.addCase(who, decided)
}

// visited reports whether the model was called to decide in a turn, and why its last answer
// was not used.
func (m *answers) visited(r eval.Result, turn int) (failed string, called bool) {
	for _, n := range r.Nodes {
		if m.node != "" && n.Node == m.node && n.Turn == turn {
			failed, called = string(n.CallError), true
		}
	}
	return failed, called
}

func (m *answers) Close(into *eval.ConditionSummary) {
	if m.used.seen() == 0 {
		return
	}
	into.Metrics["router.answer_used"] = m.used.estimate()
	m.why.missing, m.who.missing = m.used.missing, m.used.missing
	m.why.close(into, "router.answer_unused")
	m.who.close(into, "router.decided_instead")
}
