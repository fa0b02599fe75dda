package gate

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"evalctl/eval"
	"evalctl/eval/metric"
)

// Check evaluates all rules on the summary of a run and returns one verdict for each rule, in
// order. A rule passes if it passes in every condition (suite × variant × fault) that it selects.
// It fails, with a reason that names the condition, if in one of them:
//
// - the value misses the limit
// - the value is absent, based on no data, or not finite
// - no trial ran, or none has an answer
// - missing data could change the verdict (for metrics other than shares: any data are missing)
// - the run did not finish and not all trials of the condition ran
//
// A rule may allow some missing data. Rules on fault.* select only conditions with a fault, and
// fail if the fault was never triggered.
//
// pairs contains the comparison with the baseline run, for the rules that need one; nil: no
// baseline.
func Check(rules []Rule, s eval.Summary, pairs *BaselineComparison) []eval.GateVerdict {
	outcomes := make([]outcome, len(rules))
	for i, r := range rules {
		outcomes[i] = r.outcome(s, pairs)
	}
	decide(outcomes)
	verdicts := make([]eval.GateVerdict, 0, len(rules))
	for _, o := range outcomes {
		verdicts = append(verdicts, o.verdict(s))
	}
	return verdicts
}

// conditionResult is the result of a rule in one condition.
type conditionResult struct {
	// decision on the condition; for a rule with a significance test, set when all results are
	// known
	verdict     eval.GateDecision
	proof       *proof // evidence of the significance test; nil if the condition is not tested
	tooFewCases bool   // undecided, because there are too few cases
	// common_cases left out cases, so tooFewCases is never set
	partial    bool
	margin     float64 // distance to the limit; the result with the lowest margin is the worst
	cases      int64   // number of cases with a value; of equal margins, the one of fewest cases is the worst
	empty      bool    // nothing was measured, which is worse than any value
	conditions int     // number of conditions that this result covers, if several
	text       string  // the complete reason of the result

	at       Condition // the condition; zero: the result belongs to no single condition
	value    string    // measured value, as text; "": the field text contains it
	detail   string    // explanation of the result
	failures []eval.NewFailure
	failed   int64 // number of newly failing cases
}

func (f *conditionResult) explain(text string) {
	if text == "" {
		return
	}
	f.value = cmp.Or(f.value, f.text)
	f.text += "; " + text
	if f.detail != "" {
		f.detail += "; "
	}
	f.detail += text
}

func (f *conditionResult) locate(at Condition) {
	f.value = cmp.Or(f.value, f.text)
	f.at = at
	f.text += " in " + at.words()
}

// toVerdict converts the result to the form in which a gate verdict contains it.
func (f conditionResult) toVerdict() eval.GateCondition {
	return eval.GateCondition{
		Suite:           f.at.Suite,
		Variant:         f.at.Variant,
		Fault:           f.at.Fault,
		Value:           cmp.Or(f.value, f.text),
		Detail:          sentence(f.detail),
		NewFailures:     f.failures,
		NewFailureCount: f.failed,
	}
}

// sentence makes a text a sentence: it capitalizes the first letter and adds a period.
func sentence(text string) string {
	if text == "" {
		return ""
	}
	first, size := utf8.DecodeRuneInString(text)
	text = string(unicode.ToUpper(first)) + text[size:]
	if strings.HasSuffix(text, ".") {
		return text
	}
	return text + "."
}

// failedWithoutData returns a failed result, for a rule for which there are no data.
func failedWithoutData(text string) conditionResult {
	return conditionResult{
		verdict: eval.GateFailed,
		empty:   true,
		margin:  math.Inf(-1),
		text:    text,
	}
}

func passIf(ok bool) eval.GateDecision {
	if ok {
		return eval.GatePassed
	}
	return eval.GateFailed
}

// outcome contains the results of one rule in all conditions.
type outcome struct {
	rule Rule
	list []conditionResult
	note string // note about the conditions that the rule leaves out
}

func (r Rule) outcome(s eval.Summary, pairs *BaselineComparison) outcome {
	o, still := outcome{rule: r}, notTriggered{}
	for _, suite := range s.Suites {
		conditions := suite.Conditions
		if r.Tag != "" {
			conditions = suite.Slices
		}
		for _, c := range conditions {
			at := Condition{Suite: suite.Name, Variant: c.Variant, Fault: c.Fault}
			if c.Tag == r.Tag && r.selects(at) && !still.excludes(r, c) {
				f := r.finding(at, suite.Epochs, c, pairs)
				if lacks := missingTrialsText(s, suite, c, r.MaxMissing); lacks != "" && !r.CommonCases {
					f.verdict, f.proof, f.margin = eval.GateFailed, nil, math.Inf(-1)
					f.explain(lacks)
				}
				o.list = append(o.list, f)
			}
		}
	}
	still.addTo(&o)
	for _, at := range pairs.missingConditions(r, s) {
		missing := "not in this run: " + at.words()
		if r.CommonCases {
			o.list = append(o.list, undecidedWithoutCommon(missing))
			continue
		}
		o.list = append(o.list, failedWithoutData(missing))
	}
	o.addMissingSuites(pairs.missingSuites(r, s))
	return o
}

// addMissingSuites adds a failed result for suites that only the baseline run has. A rule with
// common_cases only lists them, and is undecided if no other suite remains.
func (o *outcome) addMissingSuites(suites map[string]int) {
	var names []string
	for _, name := range slices.Sorted(maps.Keys(suites)) {
		names = append(names, "suite "+name)
		if !o.rule.CommonCases {
			f := failedWithoutData("not in this run: suite " + name)
			f.conditions = suites[name]
			o.list = append(o.list, f)
		}
	}
	switch text := "not in this run: " + strings.Join(names, ", "); {
	case names == nil || !o.rule.CommonCases:
	case len(o.list) == 0:
		o.list = append(o.list, undecidedWithoutCommon(text))
	default:
		o.note += "; left out: " + text
	}
}

// addTo adds a failed result for faults that were never triggered. A rule with the option triggered
// only lists them, and is undecided if no other fault remains.
func (u notTriggered) addTo(o *outcome) {
	switch text := u.words(); {
	case o.rule.TriggeredOnly && len(o.list) == 0:
		if text == "" {
			text = "no condition with a fault has an expected outcome"
		}
		o.list = append(o.list, undecidedWithoutCommon(text))
	case o.rule.TriggeredOnly && text != "":
		o.note = "; left out: " + text
	case text != "":
		f := failedWithoutData(text)
		f.conditions = len(u.faults)
		o.list = slices.Insert(o.list, 0, f)
	}
}

// ofFaults reports whether the metric measures effects of faults, where an error may be expected.
func (r Rule) ofFaults() bool {
	return r.isUnderFault() || r.Metric == "fallback.correct"
}

func (r Rule) finding(at Condition, epochs int, c eval.ConditionSummary, pairs *BaselineComparison) conditionResult {
	here := func(f conditionResult) conditionResult {
		f.value = cmp.Or(f.value, f.text)
		f.text += r.epochs(epochs)
		f.value += r.epochs(epochs)
		f.locate(at)
		return f
	}
	lost := c.Metrics["missing.rate"]
	e, has := c.Metrics[r.Metric]
	if !has {
		e, has = metric.ZeroEstimate(c, r.Metric)
	}
	switch {
	case c.Trials < 1:
		return here(failedWithoutData("no trial ran"))
	case lost.Value != nil && *lost.Value == 1 && !(r.ofFaults() && c.Metrics[eval.FaultCorrectScore].N > 0):
		return here(failedWithoutData("no trial has an answer"))
	case r.NeedsBaseline():
		return pairs.judge(r, at)
	case !has:
		f := here(failedWithoutData("no value of " + r.Metric))
		f.explain(r.whyNoConfidence())
		return f
	}
	e.Missing = max(e.Missing-r.unspecifiedTrials(c), 0)
	f := r.compareLimit(e)
	f.cases = cmp.Or(e.Cases, e.N)
	why := f.detail
	f.detail = ""
	f = here(f)
	f.explain(why)
	f.explain(r.fewCasesWarning(e))
	f.explain(r.labelsLeftOut(c))
	f.explain(r.totalWarning(c.Trials))
	if f.verdict == eval.GateUndecided {
		f.explainUndecided(undecidedECE(e))
	}
	if f.empty && e.N < 1 {
		f.explain(r.whyNoConfidence())
	}
	return f
}

// rates maps a metric that is a total to the metric with the mean per trial.
var rates = map[string]string{"cost.total_usd": "cost.usd_per_1000", "tokens.in_total": "tokens.in_mean",
	"tokens.out_total": "tokens.out_mean"}

// totalWarning returns a warning if the limit is on a total, which grows with the number of trials.
func (r Rule) totalWarning(trials int64) string {
	rate, is := rates[r.Metric]
	if !is || r.Limit == 0 {
		return ""
	}
	return fmt.Sprintf("warning: %s is the total of %s and grows with their number. Use %s", r.Metric,
		metric.Plural(trials, "trial"), rate)
}

// labelsLeftOut returns a text with the number of labels that macro-F1 leaves out.
func (r Rule) labelsLeftOut(c eval.ConditionSummary) string {
	if r.Metric != macroF1 || c.LabelsWithoutCases == 0 {
		return ""
	}
	return metric.Plural(c.LabelsWithoutCases, "label") + " without a case left out"
}

// fewCases is the number of cases below which the metric of a tag is unreliable.
const fewCases = 5

// fewCasesWarning returns a warning about a tag with few cases; "": no warning.
func (r Rule) fewCasesWarning(e eval.Estimate) string {
	n := cmp.Or(e.Cases, e.N)
	if r.Tag == "" || n < 1 || n >= fewCases {
		return ""
	}
	return "only " + metric.Plural(n, "case") + " with the tag: too few for a reliable value"
}

// whyNoConfidence explains why a metric of the confidence may be absent; "" for other metrics.
func (r Rule) whyNoConfidence() string {
	if !strings.HasPrefix(r.Metric, "confidence.") {
		return ""
	}
	return eval.NoModelDecisionText
}

// epochs returns the k of pass^k as text for a reason, because pass^k is easier to pass with a
// smaller k.
func (r Rule) epochs(k int) string {
	if r.Metric != "route.pass_k" || k < 1 {
		return ""
	}
	return fmt.Sprintf(" with k = %d", k)
}

// compareLimit compares a measured value with the limit of the rule.
func (r Rule) compareLimit(e eval.Estimate) conditionResult {
	k := r.figureOf()
	switch {
	case e.Value == nil || e.N < 1:
		return failedWithoutData(fmt.Sprintf("no value (n=%d%s)", e.N, missing(e)))
	case !finite(*e.Value):
		return failedWithoutData(fmt.Sprintf("%v is not a finite number", *e.Value))
	}
	text := fmt.Sprintf("%s (n=%s%s)", k.describe(e, r.Limit), metric.FormatInteger(e.N), missing(e))
	value := fmt.Sprintf("%s of %s%s", k.describe(e, r.Limit), metric.FormatInteger(e.N), missing(e))
	if k.isWhole() { // "8 of 60" would read as a share
		value = text
	}
	low, high, problem := r.bounds(e, k)
	if problem != "" {
		return conditionResult{
			verdict: eval.GateFailed,
			margin:  math.Inf(-1),
			text:    text,
			value:   value,
			detail:  problem,
		}
	}
	if r.Metric == ece && !r.UseIntervalBound && (r.Op.isUpper() || r.Op.isLower()) {
		f := r.compareECE(e, text)
		f.value = value
		return f
	}
	ok := r.Op.isSatisfied(low, r.Limit) && r.Op.isSatisfied(high, r.Limit)
	f := conditionResult{
		verdict: passIf(ok),
		margin:  min(r.Op.margin(low, r.Limit), r.Op.margin(high, r.Limit)),
		text:    text,
		value:   value,
	}
	if !ok && r.Op.isSatisfied(*e.Value, r.Limit) {
		f.detail = r.whyNotPassed(e, k, low, high)
	}
	return f
}

// ece is the metric of the expected calibration error. It is above 0 by chance even if the
// confidences are calibrated.
const ece = "confidence.ece"

// compareECE compares the interval of the calibration error with the limit. The rule passes if the
// whole interval is within the limit, fails if none of it is, and is undecided otherwise.
func (r Rule) compareECE(e eval.Estimate, text string) conditionResult {
	f := conditionResult{verdict: eval.GateUndecided, margin: r.Op.margin(*e.Value, r.Limit), text: text}
	if e.Lo == nil || e.Hi == nil {
		f.tooFewCases = true
		return f
	}
	switch low, high := r.Op.isSatisfied(*e.Lo, r.Limit), r.Op.isSatisfied(*e.Hi, r.Limit); {
	case low && high:
		f.verdict = eval.GatePassed
	case !low && !high:
		f.verdict = eval.GateFailed
	}
	return f
}

// explainUndecided appends to the reason what would decide the rule.
func (f *conditionResult) explainUndecided(text string) {
	f.value = cmp.Or(f.value, f.text)
	f.text += "; undecided: " + text
	if f.detail != "" {
		f.detail += "; "
	}
	f.detail += text
}

func undecidedECE(e eval.Estimate) string {
	if e.Lo == nil || e.Hi == nil {
		return "too few answers for an interval"
	}
	return "the limit lies within the interval, so more answers are needed"
}

// whyNotPassed explains why a rule does not pass although the measured value is within the limit.
func (r Rule) whyNotPassed(e eval.Estimate, k metricDef, low, high float64) string {
	if r.UseIntervalBound {
		return "the interval crosses the limit. Run more cases"
	}
	return fmt.Sprintf("with the missing values it could be anything from %s to %s", k.FormatBound(*e.Value, low),
		k.Format(high))
}

// bounds returns the lowest and highest value that the metric could have with the missing data.
// With UseIntervalBound, one of them is an end of the confidence interval. problem explains why
// they are unknown.
func (r Rule) bounds(e eval.Estimate, k metricDef) (low, high float64, problem string) {
	low, high = *e.Value, *e.Value
	lo, hi := e.Lo, e.Hi
	lost := float64(e.Missing) / float64(e.N+e.Missing)
	switch {
	case e.Missing == 0:
	case r.MaxMissing > 0 && lost > r.MaxMissing:
		return 0, 0, fmt.Sprintf("%s of the values are missing%s", metric.FormatShare(lost), r.permittedMissingText())
	case r.MaxMissing > 0:
	case k.Missing == metric.Bounded && e.WorstCase != nil && e.BestCase != nil:
		low, high = min(*e.WorstCase, *e.BestCase), max(*e.WorstCase, *e.BestCase)
		lo, hi = e.WorstCaseLo, e.BestCaseHi
	default:
		return 0, 0, fmt.Sprintf("%s of the values are missing. To allow some, add `missing <= N%%` to the rule",
			metric.FormatShare(lost))
	}
	switch {
	case !r.UseIntervalBound:
	case r.Op.isLower() && lo != nil:
		low = *lo
	case r.Op.isUpper() && hi != nil:
		high = *hi
	default:
		return 0, 0, "it has no interval, so its bound is unknown"
	}
	return low, high, ""
}

func (r Rule) permittedMissingText() string {
	if r.MaxMissing == 0 {
		return ""
	}
	return ", more than " + metric.FormatShare(r.MaxMissing)
}

func missing(e eval.Estimate) string {
	if e.Missing == 0 {
		return ""
	}
	return fmt.Sprintf(", %s missing", metric.FormatInteger(e.Missing))
}

func (c Condition) words() string {
	return fmt.Sprintf("suite %s, variant %s, fault %s", c.Suite, c.Variant, faultOf(c.Fault))
}

func (r Rule) whyNoCondition(s eval.Summary) string {
	if len(s.Suites) == 0 {
		return "nothing ran"
	}
	under := ""
	if r.isUnderFault() {
		under = " with a fault"
	}
	return strings.TrimSpace(fmt.Sprintf("no condition%s%s has a case %s", r.selector(), under,
		strings.TrimSpace(r.tag())))
}
