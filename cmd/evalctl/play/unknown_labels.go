package play

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"evalctl/agent/llm"
	"evalctl/agent/trace"
	"evalctl/eval"
	"evalctl/eval/metric"
	"evalctl/eval/suite"
)

// maxUnknownLabels limits the different unknown labels that are counted in a condition. An agent may
// answer with free text.
const maxUnknownLabels = 200

// unknownLabels counts the answers of a condition that were no label.
type unknownLabels struct {
	answers  int64                       // answers with an unknown label
	first    string                      // the first unknown label; "": none
	expected map[string]map[string]int64 // number of answers by unknown label and expected label
}

// add counts the unknown labels that a trial answered. A result that was read from a file has no
// trace, so it adds nothing.
func (u *unknownLabels) add(r eval.Result) {
	for i, t := range r.Outcome.Turns {
		for _, e := range t.Events {
			if e.Kind == trace.KindRoute && e.Reason == string(llm.KindUnknownLabel) && e.From != "" {
				u.count(e.From, expectedLabel(r, i+1))
			}
		}
	}
}

func (u *unknownLabels) count(answered, expected string) {
	u.answers++
	u.first = cmp.Or(u.first, answered)
	if u.expected[answered] == nil {
		if len(u.expected) == maxUnknownLabels {
			return
		}
		if u.expected == nil {
			u.expected = map[string]map[string]int64{}
		}
		u.expected[answered] = map[string]int64{}
	}
	u.expected[answered][expected]++
}

// expectedLabel returns the correct label of a turn, from 1; "": there is none.
func expectedLabel(r eval.Result, turn int) string {
	for _, d := range r.Decisions() {
		if d.Turn == turn && len(d.Expected) > 0 {
			return d.Expected[0]
		}
	}
	return ""
}

// minAnswers is the number of answers with the same unknown label from which a hint is given.
const minAnswers = 2

// dominant returns the unknown label that more than half of the answers without a valid label have,
// with the number of its answers. n is 0 if there is none.
func (u *unknownLabels) dominant() (answered string, n int64) {
	for label, expected := range u.expected {
		count := int64(0)
		for _, k := range expected {
			count += k
		}
		if count >= minAnswers && 2*count > u.answers {
			return label, count
		}
	}
	return "", 0
}

// meaning returns the label that an unknown label probably means: the correct label of more than
// half of its answers, otherwise the out-of-scope label. "": no label is probable.
func (u *unknownLabels) meaning(answered, oosLabel string) string {
	total := int64(0)
	for _, k := range u.expected[answered] {
		total += k
	}
	for label, k := range u.expected[answered] {
		if 2*k > total && label != "" {
			return label
		}
	}
	return oosLabel
}

// aliasHints returns a hint for each suite in which one unknown label dominates. It is for the
// variant with the most such answers.
func (o *endpointHealth) aliasHints(suites []suite.Suite) (hints []string) {
	for _, s := range suites {
		if !s.System().Contract.HasDatasetLabels() {
			continue
		}
		hint, most := "", int64(0)
		keys := slices.SortedFunc(maps.Keys(o.conditions), func(a, b conditionKey) int {
			return cmp.Compare(a.variant, b.variant)
		})
		for _, key := range keys {
			c := o.conditions[key]
			answered, n := c.unknown.dominant()
			if key.suite != s.Name || key.fault != eval.NoFault || n <= most || suite.CheckLabel(answered) != nil {
				continue
			}
			most = n
			hint = fmt.Sprintf("suite %s, variant %s: %s answers were %q, which is not a label. ", s.Name, key.variant,
				metric.FormatInteger(n), answered)
			if label := c.unknown.meaning(answered, s.OOSLabel); label != "" {
				hint += fmt.Sprintf("If it means %q, add --alias %s", label, shellQuoted(answered+"="+label))
			} else {
				hint += "If it means a label, add --alias " + shellQuoted(answered+"=LABEL")
			}
		}
		if hint != "" {
			hints = append(hints, hint)
		}
	}
	return hints
}
