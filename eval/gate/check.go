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

// Check returns one verdict for each rule, in their order. A rule holds when it holds
// in every cell (suite × variant × fault) that it selects. It is broken, with a reason
// that names the cell, when in one of these the value misses the limit; is absent, of
// nothing, or not finite; when no trial ran or has an answer; or when something is
// missing that the rule does not allow to be: of a share, where it would decide the
// rule if all of it were wrong, or right; of any other figure, at all; or when the run did
// not end, and not all of the cell was played. Rules on fault.*
// select cells under a fault alone, and one that never fired breaks them.
//
// Pairs hold the run against its baseline, for the rules that want one.
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

// finding is what a rule meets in one cell.
type finding struct {
	verdict    eval.Decision // of a proof: once all are known
	proof      *proof        // where the cell is tested
	hopeless   bool          // undecided, and could not have been decided
	partial    bool          // only what both runs have is compared: then little is no fault of the set
	margin     float64       // among findings that have a value: the least is the worst
	empty      bool          // nothing was measured: worse than any value
	conditions int           // that it is of, where they are several
	text       string        // the whole reason

	at       Condition // zero: of no single condition
	value    string    // what was measured; "": the text
	detail   string    // the explanation
	failures []eval.NewFailure
	failed   int64 // number of newly failing cases
}

// explain adds an explanation.
func (f *finding) explain(text string) {
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

// locate names the condition in the reason.
func (f *finding) locate(at Condition) {
	f.value = cmp.Or(f.value, f.text)
	f.at = at
	f.text += " in " + at.words()
}

// condition is the finding for a reader of the verdict.
func (f finding) condition() eval.GateCondition {
	return eval.GateCondition{
		Suite: f.at.Suite, Variant: f.at.Variant, Fault: f.at.Fault,
		Value: cmp.Or(f.value, f.text), Detail: sentence(f.detail),
		NewFailures: f.failures, FailedCases: f.failed,
	}
}

// sentence starts with a capital letter and ends with a period.
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

// nothing breaks a rule that nothing can be said about.
func nothing(text string) finding {
	return finding{verdict: eval.GateFailed, empty: true, margin: math.Inf(-1), text: text}
}

func passIf(ok bool) eval.Decision {
	if ok {
		return eval.GatePassed
	}
	return eval.GateFailed
}

// outcome is what a rule meets in all cells.
type outcome struct {
	rule  Rule
	list  []finding
	aside string // on what the rule leaves out
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
			if c.Tag == r.Tag && r.selects(at) && !still.take(r, c) {
				f := r.finding(at, suite.Epochs, c, pairs)
				if lacks := unplayed(s, suite, c, r.Missing); lacks != "" && !r.CommonCases {
					f.verdict, f.proof, f.margin = eval.GateFailed, nil, math.Inf(-1)
					f.explain(lacks)
				}
				o.list = append(o.list, f)
			}
		}
	}
	still.settle(&o)
	for _, at := range pairs.unplayed(r, s) {
		missing := "not in this run: " + at.words()
		if r.CommonCases {
			o.list = append(o.list, uncommon(missing))
			continue
		}
		o.list = append(o.list, nothing(missing))
	}
	o.addLost(pairs.lostSuites(r, s))
	return o
}

// addLost has a rule fail for suites that only the baseline has. A rule of what is common
// lists them, and is undecided where nothing else is left.
func (o *outcome) addLost(suites map[string]int) {
	var names []string
	for _, name := range slices.Sorted(maps.Keys(suites)) {
		names = append(names, "suite "+name)
		if !o.rule.CommonCases {
			f := nothing("not in this run: suite " + name)
			f.conditions = suites[name]
			o.list = append(o.list, f)
		}
	}
	switch text := "not in this run: " + strings.Join(names, ", "); {
	case names == nil || !o.rule.CommonCases:
	case len(o.list) == 0:
		o.list = append(o.list, uncommon(text))
	default:
		o.aside += "; left out: " + text
	}
}

// settle has a rule fail for what never fired; one of what fired alone tells it, and is
// undecided where nothing did.
func (u notTriggered) settle(o *outcome) {
	switch text := u.words(); {
	case o.rule.TriggeredOnly && len(o.list) == 0:
		if text == "" {
			text = "no condition with a fault has an expected outcome"
		}
		o.list = append(o.list, uncommon(text))
	case o.rule.TriggeredOnly && text != "":
		o.aside = "; left out: " + text
	case text != "":
		f := nothing(text)
		f.conditions = len(u.faults)
		o.list = slices.Insert(o.list, 0, f)
	}
}

// ofFaults tells a metric of what came of faults, of which an error may be what is demanded.
func (r Rule) ofFaults() bool {
	return r.isUnderFault() || r.Metric == "fallback.correct"
}

func (r Rule) finding(at Condition, epochs int, c eval.ConditionSummary, pairs *BaselineComparison) finding {
	here := func(f finding) finding {
		f.value = cmp.Or(f.value, f.text)
		f.text += r.epochs(epochs)
		f.value += r.epochs(epochs)
		f.locate(at)
		return f
	}
	lost := c.Metrics["missing.rate"]
	e, has := c.Metrics[r.Metric]
	if !has {
		e, has = metric.Unmet(c, r.Metric)
	}
	switch {
	case c.Trials < 1:
		return here(nothing("no trial ran"))
	case lost.Value != nil && *lost.Value == 1 && !(r.ofFaults() && c.Metrics[eval.FaultCorrectScore].N > 0):
		return here(nothing("no trial has an answer"))
	case r.NeedsBaseline():
		return pairs.judge(r, at)
	case !has:
		f := here(nothing("no value of " + r.Metric))
		f.explain(r.unsaid())
		return f
	}
	e.Missing = max(e.Missing-r.untold(c), 0)
	f := r.judge(e)
	why := f.detail
	f.detail = ""
	f = here(f)
	f.explain(why)
	f.explain(r.little(e))
	f.explain(r.unsupported(c))
	f.explain(r.total(c.Trials))
	if f.verdict == eval.GateUndecided {
		f.undecided(undecidedECE(e))
	}
	if f.empty && e.N < 1 {
		f.explain(r.unsaid())
	}
	return f
}

// rates are the means per trial that belong to totals.
var rates = map[string]string{"cost.total_usd": "cost.usd_per_1000", "tokens.in_total": "tokens.in_mean", "tokens.out_total": "tokens.out_mean"}

// total warns of a limit for a total, which depends on the number of trials.
func (r Rule) total(trials int64) string {
	rate, is := rates[r.Metric]
	if !is || r.Limit == 0 {
		return ""
	}
	return fmt.Sprintf("warning: %s is the total of %s and grows with their number. Use %s", r.Metric, number.Plural(trials, "trial"), rate)
}

// unsupported says how many labels a macro-F1 leaves out.
func (r Rule) unsupported(c eval.ConditionSummary) string {
	if r.Metric != macroF1 || c.LabelsWithoutCases == 0 {
		return ""
	}
	return number.Plural(c.LabelsWithoutCases, "label") + " without a case left out"
}

// fewCases are so few that a tag's figure says little of what else has the tag.
const fewCases = 5

// little warns of a tag with few cases.
func (r Rule) little(e eval.Estimate) string {
	n := cmp.Or(e.Cases, e.N)
	if r.Tag == "" || n < 1 || n >= fewCases {
		return ""
	}
	return "only " + number.Plural(n, "case") + " with the tag: too few for a reliable value"
}

// unsaid says why there may be no confidence to judge, "" of any other metric.
func (r Rule) unsaid() string {
	if !strings.HasPrefix(r.Metric, "confidence.") {
		return ""
	}
	return eval.NoModelDecisionText
}

// epochs name the k of pass^k: the fewer, the easier it is to pass.
func (r Rule) epochs(k int) string {
	if r.Metric != "route.pass_k" || k < 1 {
		return ""
	}
	return fmt.Sprintf(" with k = %d", k)
}

// judge holds an estimate against the limit.
func (r Rule) judge(e eval.Estimate) finding {
	k := r.figureOf()
	switch {
	case e.Value == nil || e.N < 1:
		return nothing(fmt.Sprintf("no value (n=%d%s)", e.N, missing(e)))
	case !finite(*e.Value):
		return nothing(fmt.Sprintf("%v is not a finite number", *e.Value))
	}
	text := fmt.Sprintf("%s (n=%s%s)", k.describe(e, r.Limit), number.Thousands(e.N), missing(e))
	value := fmt.Sprintf("%s of %s%s", k.describe(e, r.Limit), number.Thousands(e.N), missing(e))
	low, high, problem := r.bounds(e, k)
	if problem != "" {
		return finding{verdict: eval.GateFailed, margin: math.Inf(-1), text: text, value: value, detail: problem}
	}
	if r.Metric == ece && !r.UseBound && (r.Op.isUpper() || r.Op.isLower()) {
		f := r.judgeECE(e, text)
		f.value = value
		return f
	}
	ok := r.Op.holds(low, r.Limit) && r.Op.holds(high, r.Limit)
	f := finding{verdict: passIf(ok), margin: min(r.Op.margin(low, r.Limit), r.Op.margin(high, r.Limit)), text: text, value: value}
	if !ok && r.Op.holds(*e.Value, r.Limit) {
		f.detail = r.blame(e, k, low, high)
	}
	return f
}

// ece is above 0 by chance even where confidences are perfect.
const ece = "confidence.ece"

// judgeECE goes by the interval alone: the rule passes where all of it keeps the limit and
// fails where none of it does.
func (r Rule) judgeECE(e eval.Estimate, text string) finding {
	f := finding{verdict: eval.GateUndecided, margin: r.Op.margin(*e.Value, r.Limit), text: text}
	if e.Lo == nil || e.Hi == nil {
		f.hopeless = true
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

// undecided adds what would decide the rule.
func (f *finding) undecided(text string) {
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

// blame says why a value that keeps the limit is not enough.
func (r Rule) blame(e eval.Estimate, k figure, low, high float64) string {
	if r.UseBound {
		return "the interval crosses the limit. Run more cases"
	}
	return fmt.Sprintf("with the missing values it could be anything from %s to %s", k.within(*e.Value, low), k.form(high))
}

// bounds are the least and the most that the value may be with all that is missing, or
// the bounds of the intervals there where the rule asks for that; or the problem why
// nobody can tell.
func (r Rule) bounds(e eval.Estimate, k figure) (low, high float64, problem string) {
	low, high = *e.Value, *e.Value
	lo, hi := e.Lo, e.Hi
	lost := float64(e.Missing) / float64(e.N+e.Missing)
	switch {
	case e.Missing == 0:
	case r.Missing > 0 && lost > r.Missing:
		return 0, 0, fmt.Sprintf("%s of the values are missing%s", number.Share(lost), r.tolerated())
	case r.Missing > 0:
	case k.Missing == metric.Bounded && e.WorstCase != nil && e.BestCase != nil:
		low, high = min(*e.WorstCase, *e.BestCase), max(*e.WorstCase, *e.BestCase)
		lo, hi = e.WorstCaseLo, e.BestCaseHi
	default:
		return 0, 0, fmt.Sprintf("%s of the values are missing. To allow some, add `missing <= N%%` to the rule", number.Share(lost))
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

// tolerated says how much may be missing.
func (r Rule) tolerated() string {
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

// words name a cell.
func (c Condition) words() string {
	return fmt.Sprintf("suite %s, variant %s, fault %s", c.Suite, c.Variant, faultOf(c.Fault))
}

// absent says why no cell was met.
func (r Rule) absent(s eval.Summary) string {
	if len(s.Suites) == 0 {
		return "nothing ran"
	}
	under := ""
	if r.isUnderFault() {
		under = " with a fault"
	}
	return strings.TrimSpace(fmt.Sprintf("no condition%s%s has a case %s", r.selector(), under, strings.TrimSpace(r.tag())))
}
