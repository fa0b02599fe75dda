package metric

import (
	"cmp"

	"evalctl/eval"
)

// answerUse measures how often the answer of the deciding model was used.
//
// - router.answer_used: share of decisions that the model made, among those in which it was called.
// - router.answer_unused.REASON: share of the same decisions in which the answer was not used for this reason. The answer was invalid (malformed_json, unknown_label …), a refusal (model_refusal), below the threshold (low_confidence) or overruled by a guard, or the call failed.
// - router.decided_instead.SOURCE: share of the same decisions that SOURCE made in place of the model.
//
// Each turn counts once. In a turn with several decisions each decision counts, and a correction by
// preconditions is not an unused answer. A turn without a decision is missing. A condition in which
// no model was called to decide has none of these metrics.
type answerUse struct {
	deciderNode        string // node name of the deciding component; "": unknown
	used               share
	byReason, bySource *split
}

func newAnswerUse(node string) *answerUse {
	return &answerUse{
		deciderNode: node,
		used:        newRandomShare(),
		byReason:    newSplit(newRandomShare),
		bySource:    newSplit(newRandomShare),
	}
}

// Sources and reasons in the metrics' names that the results do not contain.
const (
	noSource         = "nobody"    // source: no decision; the label is invalid, or the model is called again
	fallbackSource   = "fallback"  // source: the fallback label of a classifier
	overriddenReason = "overruled" // reason: a guard overrides the answer, or the inputs leave no choice
	invalidReason    = "invalid"   // reason: the result has no other reason
)

// modelSource is the source in a result whose decision the model made.
const modelSource = "llm"

func (m *answerUse) Add(trials []eval.Result) {
	byReason, bySource := map[string]int64{}, map[string]int64{}
	decided := int64(0)
	count := func(used bool, reason, source string) {
		decided++
		m.used.add(used)
		if !used {
			byReason[reason]++
			bySource[source]++
		}
	}
	for _, r := range trials {
		if r.ExternalRequests > 0 { // a custom agent, whose model calls are unknown
			continue
		}
		for i, t := range r.Turns {
			failed, called := m.lastCallError(r, i+1)
			switch {
			case !called:
			case len(t.Steps) > 0:
				for _, s := range t.Steps {
					if s.IsDecision() {
						isNone := s.Proposed == "" || s.DecidedBy == modelSource && s.Executed == ""
						count(!isNone, cmp.Or(s.Reason, invalidReason), noSource)
					}
				}
			case t.DecidedBy == "":
				m.used.missing++
			case t.ModelDecision == nil && t.DecidedBy == modelSource:
				count(false, cmp.Or(failed, invalidReason), noSource)
			case t.ModelDecision == nil:
				count(false, cmp.Or(failed, invalidReason), t.DecidedBy)
			case t.ModelDecision.DecisionIfAccepted != "":
				count(false, overriddenReason, t.DecidedBy)
			case failed != "" && t.DecidedBy == modelSource:
				count(false, failed, fallbackSource)
			case failed != "":
				count(false, failed, t.DecidedBy)
			default:
				count(true, "", "")
			}
		}
	}
	m.used.endCase()
	m.byReason.addCase(byReason, decided)
	m.bySource.addCase(bySource, decided)
}

// lastCallError returns the error of the last call to decide a turn; "": it did not fail. called is
// false if the model was not called.
func (m *answerUse) lastCallError(r eval.Result, turn int) (failed string, called bool) {
	for _, n := range r.Nodes {
		if m.deciderNode != "" && n.Node == m.deciderNode && n.Turn == turn {
			failed, called = string(n.CallError), true
		}
	}
	return failed, called
}

func (m *answerUse) Close(into *eval.ConditionSummary) {
	if m.used.total() == 0 {
		return
	}
	into.Metrics["router.answer_used"] = m.used.estimate()
	m.byReason.missing, m.bySource.missing = m.used.missing, m.used.missing
	m.byReason.close(into, "router.answer_unused")
	m.bySource.close(into, "router.decided_instead")
}
