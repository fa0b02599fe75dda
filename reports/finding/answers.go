package finding

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"evalctl/agent/llm"
	"evalctl/eval"
	"evalctl/eval/metric"
)

// Metrics on how often an agent used the decision of its model, why not, and what decided instead.
const (
	answerUsed     = "router.answer_used"
	answerUnused   = "router.answer_unused."
	decidedInstead = "router.decided_instead."
)

// replaced returns the finding that something else often decided because the model's answers were
// invalid, refused or missing. It returns nil if such answers are rare.
func replaced(s suite) *Sentence {
	return s.decidedInstead(KindAnswersInvalid,
		func(c eval.ConditionSummary) bool { return isUnused(c) && isBroken(c) })
}

// deferred returns the finding that something else often decided because the model's valid answers
// were below the confidence threshold or overruled. It returns nil if such answers are rare.
func deferred(s suite) *Sentence {
	return s.decidedInstead(KindAnswersNotUsed,
		func(c eval.ConditionSummary) bool { return isUnused(c) && !isBroken(c) })
}

func isUnused(c eval.ConditionSummary) bool {
	e := c.Metrics[answerUsed]
	return metric.IsKnown(e.Value) && !c.BaselineModel && float64(unused(e)) > tolerableMissing*float64(e.N)
}

func unused(e eval.Estimate) int64 { return e.N - Numerator(e) }

// isBroken reports whether so many answers are invalid, refused or missing that they alone exceed
// the tolerable share.
func isBroken(c eval.ConditionSummary) bool {
	n := int64(0)
	for _, r := range reasonsOf(c) {
		if r.broken {
			n += r.n
		}
	}
	return float64(n) > tolerableMissing*float64(c.Metrics[answerUsed].N)
}

const maxReplaced = 3

func (s suite) decidedInstead(kind Kind, counts func(eval.ConditionSummary) bool) *Sentence {
	conditions := slices.DeleteFunc(ConditionsWithoutFault(s.SuiteSummary),
		func(c eval.ConditionSummary) bool { return !counts(c) })
	if len(conditions) == 0 {
		return nil
	}
	slices.SortStableFunc(conditions, func(a, b eval.ConditionSummary) int {
		return cmp.Compare(*a.Metrics[answerUsed].Value, *b.Metrics[answerUsed].Value)
	})
	worst := conditions[0]
	e := worst.Metrics[answerUsed]
	out := &Sentence{Kind: kind}
	out.add("In ")
	out.addVariants(worst.Variant)
	by, unit := deciders(worst), "decision"
	if strings.HasPrefix(by, "no decision") {
		unit = s.scoredUnit(e)
	}
	out.add(", " + by + metric.FormatInteger(unused(e)) + " of " + metric.Plural(e.N, unit))
	if unit == "decision" && e.N > s.Cases*int64(max(s.Epochs, 1)) {
		out.add(" (a conversation has several)")
	}
	if e.N < s.Cases*int64(max(s.Epochs, 1)) {
		out.add(" in which the model was called")
	}
	var why []string
	for i, r := range reasonsOf(worst) {
		subject, verb, words := "", " was ", r.words
		if i == 0 {
			subject = " model answer"
		}
		if r.n != 1 {
			verb = " were "
			words = strings.Replace(words, "a refusal", "refusals", 1)
		}
		if i == 0 && r.n != 1 {
			subject += "s"
		}
		why = append(why, metric.FormatInteger(r.n)+subject+verb+words)
	}
	out.add(": " + strings.Join(why, ", "))
	s.addOthers(out, conditions[1:])
	return out
}

// addOthers lists the other variants, each with how many of its model answers were not used.
func (s suite) addOthers(out *Sentence, conditions []eval.ConditionSummary) {
	for i, c := range conditions[:min(len(conditions), maxReplaced)] {
		between := ", "
		if i == 0 {
			between = "; also "
		}
		e := c.Metrics[answerUsed]
		out.add(between + metric.FormatInteger(unused(e)) + " of " + metric.FormatInteger(e.N) + " in ")
		out.addVariants(c.Variant)
	}
	if more := len(conditions) - maxReplaced; more > 0 {
		out.add(", and in " + metric.Plural(int64(more), "more variant"))
	}
}

// sourceWords maps the source of a decision, as in metric names, to its words in a sentence.
var sourceWords = map[string]string{
	"rules":    "the rules",
	"keywords": "keywords",
	"guard":    "a hard constraint",
	"fallback": "the fallback label",
	"nobody":   "nothing",
}

// deciders returns the start of a sentence that names what decided instead of the model, most
// frequent first.
func deciders(c eval.ConditionSummary) string {
	all := namedCounts(c, decidedInstead)
	if len(all) == 1 && all[0].name == "nobody" {
		return "no decision was made in "
	}
	var names []string
	for _, p := range all {
		name := cmp.Or(sourceWords[p.name], p.name)
		if len(all) > 1 {
			name += " (" + metric.FormatInteger(p.n) + ")"
		}
		names = append(names, name)
	}
	if last := len(names) - 1; last > 0 {
		names = append(names[:last-1], names[last-1]+" and "+names[last])
	}
	return strings.Join(names, ", ") + " made "
}

// unusedReason is a reason why model answers were not used, and how many answers it affects.
type unusedReason struct {
	words  string
	broken bool // the answers were invalid, refused or missing
	n      int64
}

// reasonsOf returns the reasons why a condition's model answers were not used, most frequent first.
func reasonsOf(c eval.ConditionSummary) (list []unusedReason) {
	for _, p := range namedCounts(c, answerUnused) {
		r := unusedReason{words: "not received", broken: true, n: p.n}
		switch kind := llm.ErrorKind(p.name); {
		case p.name == "low_confidence":
			r.words, r.broken = "below the threshold", false
		case p.name == "overruled":
			r.words, r.broken = "overruled", false
		case kind == llm.KindRefusal:
			r.words = "a refusal"
		case kind.IsInvalidAnswer(), slices.Contains([]string{"invalid", "no_decision", "unknown_agent"}, p.name):
			r.words = "invalid"
		}
		if i := slices.IndexFunc(list, func(o unusedReason) bool { return o.words == r.words }); i >= 0 {
			list[i].n += r.n
			continue
		}
		list = append(list, r)
	}
	slices.SortStableFunc(list, func(a, b unusedReason) int { return cmp.Compare(b.n, a.n) })
	return list
}

type namedCount struct {
	name string
	n    int64
}

// namedCounts returns the counts whose metric names start with family, highest first. It omits
// zeros.
func namedCounts(c eval.ConditionSummary, family string) (list []namedCount) {
	for metric, e := range c.Metrics {
		if name, ok := strings.CutPrefix(metric, family); ok && Numerator(e) > 0 {
			list = append(list, namedCount{name, Numerator(e)})
		}
	}
	slices.SortFunc(list, func(a,
		b namedCount) int {
		return cmp.Or(cmp.Compare(b.n, a.n), cmp.Compare(a.name, b.name))
	})
	return list
}

// CountRetries counts requests in the conditions without a fault. of counts all requests, and again
// those that failed and were retried.
func CountRetries(conditions []eval.ConditionSummary) (again, of int64) {
	for _, c := range conditions {
		if e := c.Metrics["calls.retried"]; metric.IsKnown(e.Value) && cmp.Or(c.Fault, eval.NoFault) == eval.NoFault {
			again, of = again+int64(*e.Value), of+e.N
		}
	}
	return again, of
}

// cachedAnswers returns the finding that some calls were answered from the response cache, so that
// their turns have no latency.
func cachedAnswers(s suite) *Sentence {
	var cached, calls int64
	for _, c := range s.Conditions {
		if e := c.Metrics["cached.rate"]; metric.IsKnown(e.Value) {
			cached += int64(math.Round(*e.Value * float64(e.N)))
		}
		if e := c.Metrics["calls.mean"]; metric.IsKnown(e.Value) {
			calls += int64(math.Round(*e.Value * float64(e.N)))
		}
	}
	if cached == 0 {
		return nil
	}
	out := &Sentence{Kind: KindCachedAnswers}
	out.add(metric.FormatInteger(cached) + " of " + metric.Plural(calls, "call") +
		" were answered from the response cache; their turns have no latency")
	return out
}

// IsInvalidLabel reports whether a predicted label is the placeholder for answers without a valid
// label.
func IsInvalidLabel(c eval.ConditionSummary, predicted string) bool {
	return c.Confusion != nil && c.Confusion.InvalidLabel != "" && c.Confusion.InvalidLabel == predicted
}

// Limits for the finding on invalid labels: at least minInvalidLabels answers, and at least one in
// invalidLabelOneIn wrong answers.
const (
	minInvalidLabels  = 3
	invalidLabelOneIn = 5
)

// invalidLabels returns the finding on the variant with the most invalid labels.
func invalidLabels(s suite) *Sentence {
	var worst eval.ConditionSummary
	var most, wrong int64
	for _, c := range ConditionsWithoutFault(s.SuiteSummary) {
		n, all := withoutLabel(c)
		if n >= minInvalidLabels && n*invalidLabelOneIn >= all && n > most {
			worst = c
			most = n
			wrong = all
		}
	}
	if most == 0 {
		return nil
	}
	out := &Sentence{Kind: KindInvalidLabels}
	if most == wrong {
		out.add("All " + metric.FormatInteger(wrong))
	} else {
		out.add(metric.FormatInteger(most) + " of " + metric.FormatInteger(wrong))
	}
	out.linkCases(CaseFilter{Variant: worst.Variant, Predicted: worst.Confusion.InvalidLabel}, 1)
	out.add(" wrong answers of ")
	out.addVariants(worst.Variant)
	out.add(" are invalid labels")
	return out
}

// withoutLabel returns how many answers of a condition have an invalid label, and how many are
// wrong. It counts turns, not cases.
func withoutLabel(c eval.ConditionSummary) (none, wrong int64) {
	if c.Confusion == nil {
		return 0, 0
	}
	for expected, row := range c.Confusion.Counts {
		for i, n := range row {
			if i == expected || i >= len(c.Confusion.Labels) {
				continue
			}
			if wrong += n; IsInvalidLabel(c, c.Confusion.Labels[i]) {
				none += n
			}
		}
	}
	return none, wrong
}

// unreadPrompts returns the warning that variants differ in their prompts but their simulated
// models do not read prompts.
func unreadPrompts(s suite) *Sentence {
	var names []string
	for _, c := range s.Conditions {
		if c.Fault == eval.NoFault {
			names = append(names, c.Variant)
		}
	}
	if !s.HasUnreadPrompts(names...) {
		return nil
	}
	out := &Sentence{Kind: KindPromptsNotRead}
	out.add(eval.UnreadPromptsWarning)
	return out
}
