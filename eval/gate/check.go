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
	"evalctl/eval/number"
)

// Check returns one verdict for each rule, in their order. A rule passes if it passes in every
// condition (suite × variant × fault) that it selects. It fails, with a reason that names the
// condition, if in one of them:
//
//   - the value misses the limit
//   - the value is absent, based on no data, or not finite
//   - no trial ran, or none has an answer
//   - data is missing beyond the rule's allowance: for a share, if it could change the verdict;
//     for other metrics, always
//   - the run did not finish and not all trials of the condition ran
//
// Rules on fault.* select only conditions with a fault, and fail if it was never triggered.
//
// pairs compares the run with its baseline for the rules that need one; nil: no baseline.
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
	verdict     eval.Decision // of a test: set when all findings are known
	proof       *proof        // nil if the condition is not tested
	tooFewCases bool          // undecided, and too few cases to decide it
	partial     bool          // only common cases are compared, so few cases are not the suite's fault
	margin      float64       // sorts findings with a value: the lowest is the worst
	empty       bool          // nothing was measured: worse than any value
	conditions  int           // number of conditions, if several
	text        string        // the whole reason

	at       Condition // zero: not a single condition
	value    string    // measured value; "": use text
	detail   string    // explanation
	failures []eval.NewFailure
	failed   int64 // number of newly failing cases
}

// explain appends an explanation.
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

// locate adds the condition to the reason.
func (f *conditionResult) locate(at Condition) {
	f.value = cmp.Or(f.value, f.text)
	f.at = at
	f.text += " in " + at.words()
}

// toVerdict converts the finding for the verdict.
func (f conditionResult) toVerdict() eval.GateCondition {
	return eval.GateCondition{
		Suite:       f.at.Suite,
		Variant:     f.at.Variant,
		Fault:       f.at.Fault,
		Value:       cmp.Or(f.value, f.text),
		Detail:      sentence(f.detail),
		NewFailures: f.failures,
		FailedCases: f.failed,
	}
}

// sentence capitalizes text and adds a period.
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

// failedWithoutData returns a failed finding for a rule without data.
func failedWithoutData(text string) conditionResult {
	return conditionResult{
		verdict: eval.GateFailed,
		empty:   true,
		margin:  math.Inf(-1),
		text:    text,
	}
}

func passIf(ok bool) eval.Decision {
	if ok {
		return eval.GatePassed
	}
	return eval.GateFailed
}

// outcome has a rule's findings in all conditions.
type outcome struct {
	rule Rule
	list []conditionResult
	note string // note on what the rule leaves out
}

func (r Rule) outcome(s eval.Summary, pairs *BaselineComparison) outcome {
	o, still := outcome{rule: r}, notTriggered{}
	for _, suite := range s.Suites {
		conditions := suite.Conditions
		if r.Tag != "" {
			conditions = suite.Slices
		}
		for _, c := range conditions {
			at := Condition{Suite: suite.Name, Variant: c.Name, Fault: c.Fault}
			if c.Tag == r.Tag && r.selects(at) && !still.excludes(r, c) {
				f := r.finding(at, suite.Epochs, c, pairs)
				if lacks := missingTrialsText(s, suite, c, r.Missing); lacks != "" && !r.CommonCases {
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

// addMissingSuites lets a rule fail for suites that only the baseline has. A rule with common_cases
// lists them instead, and is undecided if nothing else is left.
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

// addTo lets a rule fail for faults that were never triggered. A rule with triggered lists them
// instead, and is undecided if nothing else is left.
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

// ofFaults reports whether the metric is about the effects of faults, where an error may be the
// expected outcome.
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

// rates maps a total to its mean per trial.
var rates = map[string]string{"cost.total_usd": "cost.usd_per_1000", "tokens.in_total": "tokens.in_mean",
	"tokens.out_total": "tokens.out_mean"}

// totalWarning warns about a limit on a total, which grows with the number of trials.
func (r Rule) totalWarning(trials int64) string {
	rate, is := rates[r.Metric]
	if !is || r.Limit == 0 {
		return ""
	}
	return fmt.Sprintf("warning: %s is the total of %s and grows with their number. Use %s", r.Metric,
		number.Plural(trials, "trial"), rate)
}

// labelsLeftOut returns the number of labels that macro-F1 leaves out, as text.
func (r Rule) labelsLeftOut(c eval.ConditionSummary) string {
	if r.Metric != macroF1 || c.LabelsWithoutCases == 0 {
		return ""
	}
	return number.Plural(c.LabelsWithoutCases, "label") + " without a case left out"
}

// fewCases is the number of cases below which the value for a tag is unreliable.
const fewCases = 5

// fewCasesWarning warns about a tag with few cases.
func (r Rule) fewCasesWarning(e eval.Estimate) string {
	n := cmp.Or(e.Cases, e.N)
	if r.Tag == "" || n < 1 || n >= fewCases {
		return ""
	}
	return "only " + number.Plural(n, "case") + " with the tag: too few for a reliable value"
}

// whyNoConfidence explains why a confidence metric may be absent; "" for other metrics.
func (r Rule) whyNoConfidence() string {
	if !strings.HasPrefix(r.Metric, "confidence.") {
		return ""
	}
	return eval.NoModelDecisionText
}

// epochs returns the k of pass^k, as text: pass^k is easier to pass with a smaller k.
func (r Rule) epochs(k int) string {
	if r.Metric != "route.pass_k" || k < 1 {
		return ""
	}
	return fmt.Sprintf(" with k = %d", k)
}

// compareLimit compares an estimate with the limit.
func (r Rule) compareLimit(e eval.Estimate) conditionResult {
	k := r.figureOf()
	switch {
	case e.Value == nil || e.N < 1:
		return failedWithoutData(fmt.Sprintf("no value (n=%d%s)", e.N, missing(e)))
	case !finite(*e.Value):
		return failedWithoutData(fmt.Sprintf("%v is not a finite number", *e.Value))
	}
	text := fmt.Sprintf("%s (n=%s%s)", k.describe(e, r.Limit), number.Thousands(e.N), missing(e))
	value := fmt.Sprintf("%s of %s%s", k.describe(e, r.Limit), number.Thousands(e.N), missing(e))
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
	if r.Metric == ece && !r.UseBound && (r.Op.isUpper() || r.Op.isLower()) {
		f := r.compareECE(e, text)
		f.value = value
		return f
	}
	ok := r.Op.holds(low, r.Limit) && r.Op.holds(high, r.Limit)
	f := conditionResult{
		verdict: passIf(ok),
		margin:  min(r.Op.margin(low, r.Limit), r.Op.margin(high, r.Limit)),
		text:    text,
		value:   value,
	}
	if !ok && r.Op.holds(*e.Value, r.Limit) {
		f.detail = r.whyNotPassed(e, k, low, high)
	}
	return f
}

// ece is above 0 by chance even for calibrated confidences.
const ece = "confidence.ece"

// compareECE uses only the interval. The rule passes if all of it is within the limit and fails if
// none of it is.
func (r Rule) compareECE(e eval.Estimate, text string) conditionResult {
	f := conditionResult{verdict: eval.GateUndecided, margin: r.Op.margin(*e.Value, r.Limit), text: text}
	if e.Lo == nil || e.Hi == nil {
		f.tooFewCases = true
		return f
	}
	switch low, high := r.Op.holds(*e.Lo, r.Limit), r.Op.holds(*e.Hi, r.Limit); {
	case low && high:
		f.verdict = eval.GatePassed
	case !low && !high:
		f.verdict = eval.GateFailed
	}
	return f
}

// explainUndecided appends what would decide the rule.
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

// whyNotPassed explains why a value within the limit does not pass.
func (r Rule) whyNotPassed(e eval.Estimate, k metricDef, low, high float64) string {
	if r.UseBound {
		return "the interval crosses the limit. Run more cases"
	}
	return fmt.Sprintf("with the missing values it could be anything from %s to %s", k.formBound(*e.Value, low),
		k.form(high))
}

// bounds returns the lowest and highest possible value, given the missing data. With UseBound one
// of them is a bound of the interval. problem explains why they are unknown.
func (r Rule) bounds(e eval.Estimate, k metricDef) (low, high float64, problem string) {
	low, high = *e.Value, *e.Value
	lo, hi := e.Lo, e.Hi
	lost := float64(e.Missing) / float64(e.N+e.Missing)
	switch {
	case e.Missing == 0:
	case r.Missing > 0 && lost > r.Missing:
		return 0, 0, fmt.Sprintf("%s of the values are missing%s", number.Share(lost), r.permittedMissingText())
	case r.Missing > 0:
	case k.Missing == metric.Bounded && e.WorstCase != nil && e.BestCase != nil:
		low, high = min(*e.WorstCase, *e.BestCase), max(*e.WorstCase, *e.BestCase)
		lo, hi = e.WorstCaseLo, e.BestCaseHi
	default:
		return 0, 0, fmt.Sprintf("%s of the values are missing. To allow some, add `missing <= N%%` to the rule",
			number.Share(lost))
	}
	switch {
	case !r.UseBound:
	case r.Op.isLower() && lo != nil:
		low = *lo
	case r.Op.isUpper() && hi != nil:
		high = *hi
	default:
		return 0, 0, "it has no interval, so its bound is unknown"
	}
	return low, high, ""
}

// permittedMissingText returns the permitted share of missing data, as text.
func (r Rule) permittedMissingText() string {
	if r.Missing == 0 {
		return ""
	}
	return ", more than " + number.Share(r.Missing)
}

func missing(e eval.Estimate) string {
	if e.Missing == 0 {
		return ""
	}
	return fmt.Sprintf(", %s missing", number.Thousands(e.Missing))
}

// words names the condition.
func (c Condition) words() string {
	return fmt.Sprintf("suite %s, variant %s, fault %s", c.Suite, c.Variant, faultOf(c.Fault))
}

// whyNoCondition explains why the rule selects no condition.
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
