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

// unscored names the conditions with so many unscored trials that their metrics are unreliable.
func unscored(s eval.SuiteSummary) values {
	conditions := slices.DeleteFunc(slices.Clone(s.Conditions),
		func(c eval.ConditionSummary) bool { return !hasMissing(c) })
	if len(conditions) == 0 {
		return nil
	}
	worst := conditions[0]
	for _, c := range conditions[1:] { // of equal ones, the first without a fault
		if by := cmp.Compare(missing(c), missing(worst)); by > 0 || by == 0 && hasFault(worst) && !hasFault(c) {
			worst = c
		}
	}
	lost, of := missingShare(worst)
	same := slices.DeleteFunc(slices.Clone(conditions), func(c eval.ConditionSummary) bool {
		l, o := missingShare(c)
		return c.Variant != worst.Variant || l != lost || o != of
	})
	trials := "all " + metric.Plural(of, unit(s))
	if lost < of {
		trials = metric.FormatInteger(lost) + " of " + metric.Plural(of, unit(s))
	}
	v := values{
		"conditions": variantWithFaults(same),
		"trials":     linked(trials, CaseFilter{Variant: worst.Variant, Fault: worst.Fault, Result: unscoredCases}),
		"unscored":   "unanswered", // the suite scores no decisions
	}
	if slices.ContainsFunc(s.Conditions, func(c eval.ConditionSummary) bool {
		return c.Metrics[accuracy].N+c.Metrics[accuracy].Missing > 0
	}) {
		v["unscored"] = NotScored
	}
	if reasons := errorCounts(worst); reasons != "" &&
		!slices.ContainsFunc(same, func(c eval.ConditionSummary) bool { return errorCounts(c) != reasons }) {
		v["errors"] = reasons
	}
	if scored := of - lost; scored > 0 && lost > scored {
		v["scored"] = scored
	}
	if n := len(conditions) - len(same); n > 0 {
		v["others"] = metric.Plural(int64(n), "other condition")
	}
	return v
}

func missing(c eval.ConditionSummary) float64 {
	lost, of := missingShare(c)
	return float64(lost) / float64(of)
}

// errorCounts returns how often each kind of error occurred, such as "provider 3, timeout 1".
func errorCounts(c eval.ConditionSummary) string {
	var parts []string
	for _, k := range eval.ErrorKinds() {
		if e := c.Metrics["errors."+string(k)]; metric.IsKnown(e.Value) && *e.Value > 0 {
			parts = append(parts, string(k)+" "+metric.FormatRounded(*e.Value))
		}
	}
	return strings.Join(parts, ", ")
}

// variantWithFaults names the variant of conditions with unscored trials. It also names the faults if
// all conditions have one.
func variantWithFaults(conditions []eval.ConditionSummary) clause {
	variant := conditions[0].Variant
	if slices.ContainsFunc(conditions, func(c eval.ConditionSummary) bool { return !hasFault(c) }) {
		return toClause(variants(variant))
	}
	var names []string
	for _, c := range conditions {
		names = append(names, c.Fault)
	}
	v := values{"variant": variants(variant)}
	if n := len(names); n > 3 {
		names, v["others"] = names[:1], metric.Plural(int64(n-1), "more fault")
	}
	v["faults"] = linkedFaults(variant, unscoredCases, names)
	return fill("{variant} with {faults}< and {others}>", v)
}

// contractViolation reports event streams or components that a user interface cannot use, because
// they violate the output contract.
func contractViolation(s eval.SuiteSummary) values {
	var worst eval.ConditionSummary
	var share eval.Estimate
	var problem string
	n := 0
	for _, c := range s.Conditions {
		for _, b := range []struct{ metric, problem string }{
			{"events.in_order", "Events are out of order"}, {"genui.conform", "GenUI components are invalid"},
		} {
			e := c.Metrics[b.metric]
			if !metric.IsKnown(e.Value) || *e.Value >= 1 {
				continue
			}
			if n++; n == 1 || violations(e)/float64(e.N) > violations(share)/float64(share.N) {
				worst, share, problem = c, e, b.problem
			}
		}
	}
	if n == 0 {
		return nil
	}
	v := values{
		"problem": problem,
		"wrong":   int64(violations(share)),
		"trials":  metric.Plural(share.N, unit(s)),
		"variant": variants(worst.Variant),
	}
	if hasFault(worst) {
		v["fault"] = otherNames(worst.Fault)
	}
	if n > 1 {
		v["others"] = metric.Plural(int64(n-1), "other condition")
	}
	return v
}

func violations(e eval.Estimate) float64 { return math.Round((1 - *e.Value) * float64(e.N)) }

// cachedAnswers reports that some calls were answered from the response cache, so that their turns
// have no latency.
func cachedAnswers(s eval.SuiteSummary) values {
	var cached, calls int64
	for _, c := range s.Conditions {
		cached += Numerator(c.Metrics["cached.rate"])
		calls += Numerator(c.Metrics["calls.mean"])
	}
	if cached == 0 {
		return nil
	}
	return values{"cached": cached, "calls": metric.Plural(calls, "call")}
}

// CountRetries counts requests in the conditions without a fault. of counts all requests, and again
// those that failed and were retried.
func CountRetries(conditions []eval.ConditionSummary) (again, of int64) {
	for _, c := range conditions {
		if e := c.Metrics["calls.retried"]; metric.IsKnown(e.Value) && !hasFault(c) {
			again, of = again+int64(*e.Value), of+e.N
		}
	}
	return again, of
}

// promptsNotRead reports that variants differ in their prompts but their simulated models do not
// read prompts.
func promptsNotRead(s eval.SuiteSummary) values {
	var names []string
	for _, c := range s.Conditions {
		if c.Fault == eval.NoFault {
			names = append(names, c.Variant)
		}
	}
	if !s.HasUnreadPrompts(names...) {
		return nil
	}
	return values{}
}

// Metrics on how often an agent used the decision of its model, why not, and what decided instead.
const (
	answerUsed   = "router.answer_used"
	answerUnused = "router.answer_unused."
	decidedBy    = "router.decided_instead."
)

func isUnused(c eval.ConditionSummary) bool {
	e := c.Metrics[answerUsed]
	return metric.IsKnown(e.Value) && !c.BaselineModel && float64(unused(e)) > tolerableMissing*float64(e.N)
}

func unused(e eval.Estimate) int64 { return e.N - Numerator(e) }

// isIntact reports the opposite of [isBroken].
func isIntact(c eval.ConditionSummary) bool { return !isBroken(c) }

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

// decidedInstead describes the variant with the most unused model answers, of those that concerns
// selects: with [isBroken], variants with many answers that are invalid, refused or missing; with
// [isIntact], those with many valid answers that were below the confidence threshold or overruled. It
// returns nil if unused answers are rare.
func decidedInstead(concerns func(eval.ConditionSummary) bool) func(eval.SuiteSummary) values {
	return func(s eval.SuiteSummary) values {
		conditions := slices.DeleteFunc(ConditionsWithoutFault(s),
			func(c eval.ConditionSummary) bool { return !isUnused(c) || !concerns(c) })
		if len(conditions) == 0 {
			return nil
		}
		slices.SortStableFunc(conditions, func(a, b eval.ConditionSummary) int {
			return cmp.Compare(*a.Metrics[answerUsed].Value, *b.Metrics[answerUsed].Value)
		})
		worst := conditions[0]
		e, unit := worst.Metrics[answerUsed], "decision"
		v := values{
			"variant": variants(worst.Variant),
			"unused":  unused(e),
			"reasons": unusedReasons(worst),
			"others":  otherUnused(conditions[1:]),
		}
		if all := namedCounts(worst, decidedBy); len(all) == 1 && all[0].name == "nobody" {
			unit = scoredUnit(s, e)
			v["deciders"] = "no decision was made in"
		} else {
			v["deciders"] = fill("{deciders} made", values{"deciders": deciders(all)})
		}
		v["decisions"] = metric.Plural(e.N, unit)
		if planned := s.Cases * int64(max(s.Epochs, 1)); e.N < planned {
			v["note"] = " in which the model was called"
		} else if e.N > planned && unit == "decision" {
			v["note"] = " (a conversation has several)"
		}
		return v
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

// deciders names what decided instead of the model, most frequent first.
func deciders(all []namedCount) clause {
	var list []clause
	for _, p := range all {
		name := cmp.Or(sourceWords[p.name], p.name)
		if len(all) > 1 {
			name += " (" + metric.FormatInteger(p.n) + ")"
		}
		list = append(list, toClause(name))
	}
	return enumerate(list)
}

// unusedReasons states why model answers were not used, most frequent reason first.
func unusedReasons(c eval.ConditionSummary) clause {
	var list []clause
	for i, r := range reasonsOf(c) {
		v := values{"n": r.n, "answers": metric.Plural(r.n, "model answer"), "reason": r.words}
		if i > 0 {
			v["answers"] = r.n
		}
		if r.n != 1 && r.words == "a refusal" {
			v["reason"] = "refusals"
		}
		list = append(list, fill("{answers} {n:was|were} {reason}", v))
	}
	return join(list, ", ")
}

// otherUnused lists other variants, each with how many of its model answers were not used.
func otherUnused(conditions []eval.ConditionSummary) clause {
	var list []clause
	for _, c := range conditions[:min(len(conditions), maxReplaced)] {
		e := c.Metrics[answerUsed]
		list = append(list, fill("{unused} of {decisions} in {variant}", values{
			"unused":    unused(e),
			"decisions": e.N,
			"variant":   variants(c.Variant),
		}))
	}
	if n := len(conditions) - maxReplaced; n > 0 {
		list = append(list, toClause("and in "+metric.Plural(int64(n), "more variant")))
	}
	return join(list, ", ")
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
	slices.SortFunc(list, func(a, b namedCount) int {
		return cmp.Or(cmp.Compare(b.n, a.n), cmp.Compare(a.name, b.name))
	})
	return list
}
