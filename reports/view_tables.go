package reports

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"evalctl/agent/trace"
	"evalctl/eval"
	"evalctl/eval/metric"
	"evalctl/eval/stats"
	"evalctl/reports/document"
	"evalctl/reports/finding"
)

// missedCase counts how often a case was right and wrong, over all variants without a fault.
type missedCase struct {
	id, language string
	judgments
	wrong   map[confusion]int64
	wrongIn map[string]bool // variants in which the case was wrong
}

// confusion is an expected label and the label that was predicted instead.
type confusion struct{ expected, got string }

const maxCases = 20

// casePanels returns a table for each suite, with the cases that are wrong most often over all
// variants and epochs.
func casePanels(r Report, _ string) ([]document.Block, error) {
	found := map[string]map[string]*missedCase{}
	err := eachTrial(r, func(res eval.Result) {
		decision, ok := res.Decision()
		if !ok {
			return
		}
		if found[res.Suite] == nil {
			found[res.Suite] = map[string]*missedCase{}
		}
		c := found[res.Suite][res.Case]
		if c == nil {
			c = &missedCase{id: res.Case, wrong: map[confusion]int64{}, wrongIn: map[string]bool{}}
			found[res.Suite][res.Case] = c
		}
		c.add(res, decision)
	})
	if err != nil {
		return nil, err
	}
	var list []document.Block
	for _, s := range r.Summary.Suites {
		list = append(list, casePanel(s, slices.Collect(maps.Values(found[s.Name]))))
	}
	return list, nil
}

func (c *missedCase) add(res eval.Result, decision eval.Score) {
	c.count(decision.Verdict)
	c.language = max(c.language, res.Language)
	if decision.Verdict == eval.Fail {
		c.wrong[confusion{strings.Join(decision.Expected, " or "), decision.Actual}]++
		c.wrongIn[res.Variant] = true
	}
}

func (c *missedCase) missed() int64 { return c.scored - c.right }

// topConfusion returns the confusion that occurred most often in a case, and how often. Ties are
// decided by name.
func (c *missedCase) topConfusion() (top confusion, n int64) {
	for m, times := range c.wrong {
		if times > n || times == n && cmp.Or(cmp.Compare(m.expected, top.expected), cmp.Compare(m.got, top.got)) < 0 {
			top, n = m, times
		}
	}
	return top, n
}

func casePanel(s eval.SuiteSummary, cases []*missedCase) document.Block {
	all := len(cases)
	cases = slices.DeleteFunc(cases, func(c *missedCase) bool { return c.missed() == 0 })
	slices.SortFunc(cases, func(a, b *missedCase) int {
		return cmp.Or(cmp.Compare(b.missed(), a.missed()), cmp.Compare(a.scored, b.scored), cmp.Compare(a.id, b.id))
	})
	p := document.Block{
		Suite:       s.Name,
		VisibleRows: maxCases,
		Noun:        "case",
		Table: document.Table{Keys: 1, Columns: []document.Column{
			{Key: "case", Head: "case"}, {Key: "wrong", Head: "wrong", Right: true}, {Key: "scored", Head: "of"},
			{Key: "expected", Head: "expected"}, {Key: "top_prediction", Head: "top prediction"},
			{Key: "top_prediction_count", Head: "times"},
			{Key: "language", Head: "language"}, {Key: "wrong_in", Head: "wrong in"}}},
	}
	p.Lines = []document.Line{{Text: fmt.Sprintf("%s of %s are wrong in at least one of %s.",
		thousands(int64(len(cases))),
		plural(int64(all), "case"), plural(int64(len(finding.ConditionsWithoutFault(s))), "variant"))}}
	for _, c := range cases {
		top, n := c.topConfusion()
		var by []string
		for _, v := range finding.ConditionsWithoutFault(s) {
			if c.wrongIn[v.Variant] {
				by = append(by, v.Variant)
			}
		}
		names := fittingNames(by, namesRoom)
		if len(by) == len(finding.ConditionsWithoutFault(s)) {
			names = "all"
		}
		p.Table.AddRow([]document.Cell{nameValue(c.id),
			{Text: thousands(c.missed()) + " of " + thousands(c.scored), Value: c.missed()}, {Value: c.scored},
			nameValue(top.expected), {Text: named(top.got) + " ×" + thousands(n), Value: top.got}, {Value: n},
			textValue(c.language), {Text: names, Value: strings.Join(by, " ")}})
	}
	return p
}

const namesRoom = 24

// faultPanels returns a table for each variant, with the outcomes of its cases under each fault,
// largest effect first.
func faultPanels(s eval.SuiteSummary) (list []document.Block) {
	rows := finding.SplitRows(s, finding.FaultEffects(s))
	for _, c := range finding.ConditionsWithoutFault(s) {
		if own := faultsOf(rows, c.Variant); len(own) > 0 {
			list = append(list, document.Block{Suite: s.Name, Variant: c.Variant, Table: faultOutcomeTable(c, own)})
		}
	}
	return list
}

const answeredText = "p95 covers answered turns only. p95 ratio: p95 divided by p95 without the fault; " +
	"no value if more than 5 % of the turns have no latency."

// faultOutcomeTable returns the outcomes of a variant's cases under each fault; plain is its condition
// without a fault.
func faultOutcomeTable(plain eval.ConditionSummary, rows []finding.FaultEffect) document.Table {
	count := func(key, head string, of func(*eval.FaultOutcome) int64) document.Column {
		cells := each(rows, func(h finding.FaultEffect) document.Cell {
			if h.Outcome == nil {
				return document.Cell{}
			}
			return nonzeroValue(of(h.Outcome))
		})
		return document.Column{Key: key, Head: head, Right: true, Cells: cells}
	}
	value := func(key, head, name string, show func(eval.Estimate) document.Cell) document.Column {
		return document.Column{Key: key, Head: head, Estimate: true, Right: true,
			Cells: each(rows, func(h finding.FaultEffect) document.Cell { return show(h.Conditions[0].Metrics[name]) })}
	}
	p95 := func(h finding.FaultEffect) document.Cell {
		c := quantileValue("p95", h.Conditions[0].Metrics["latency.p95"])
		if isKnown(h.Conditions[0].Metrics["latency.p95"].Value) {
			c.Tail = h.AnsweredTurns()
		}
		return c
	}
	ratio := func(h finding.FaultEffect) document.Cell {
		r, ok := finding.P95Ratio(h.Conditions[0], plain)
		if !ok {
			return document.Cell{Text: noValue}
		}
		return document.Cell{Text: metric.FormatRatioTwoDigits(r), Value: r}
	}
	return document.Table{Keys: 1, Columns: []document.Column{
		{Key: "fault", Head: "fault", Cells: each(rows,
			func(h finding.FaultEffect) document.Cell { return nameValue(h.Conditions[0].Fault) })},
		value("accuracy", "accuracy", "route.accuracy", shareOnlyValue),
		count("unchanged", "unchanged", func(f *eval.FaultOutcome) int64 { return f.Unchanged }),
		count("more_fallbacks", finding.MoreFallbacks, func(f *eval.FaultOutcome) int64 { return f.MoreFallbacks }),
		count("label_changed", "label changed", func(f *eval.FaultOutcome) int64 { return f.LabelChanged }),
		count("now_wrong", "broken", func(f *eval.FaultOutcome) int64 { return f.NowWrong }),
		count("now_error_reply", "error reply", func(f *eval.FaultOutcome) int64 { return f.NowErrorReply }),
		count("now_unscored", finding.FailedOrUnscored, func(f *eval.FaultOutcome) int64 { return f.NowUnscored }),
		value("fallback_rate", "fell back", "fallback.rate", shareOnlyValue),
		value("fallback_correct", "correct fallback", "fallback.correct", countsValue),
		value("fallback_recovered", "recovered", "fallback.recovered", countsValue),
		{Key: "p95_ms", Head: "p95", Estimate: true, Right: true, Cells: each(rows, p95)},
		{Key: "p95_ratio", Head: "p95 ratio", Right: true, Cells: each(rows, ratio)},
	}}
}

func countsValue(e eval.Estimate) document.Cell {
	if !isKnown(e.Value) {
		return document.Cell{Text: noValue, Value: e}
	}
	return document.Cell{Text: finding.FormatCounts(e), Value: e}
}

// visits counts the executions (visits) of a node of the agent in a condition, and how many of them
// failed.
type visits struct {
	n        int64
	errors   int64 // number of failed calls
	invalid  int64 // visits whose model answer was complete but invalid
	rejected int64 // visits whose model answer had a confidence below the threshold
}

// nodeKey identifies a node of a variant, for trials without a fault.
type nodeKey struct{ suite, variant, node string }

// nodePanels returns a table for each variant. It lists the calls, latency, share of time, failed
// calls and rejected answers of each node.
func nodePanels(r Report, _ string) ([]document.Block, error) {
	failed, err := countVisits(r)
	if err != nil {
		return nil, err
	}
	var list []document.Block
	for _, s := range r.Summary.Suites {
		for _, c := range finding.ConditionsWithoutFault(s) {
			list = append(list, nodePanel(s.Name, c, failed))
		}
	}
	return list, nil
}

// countVisits counts the visits of each node in trials without a fault, and their failed calls and
// rejected answers. The map is empty if the results of the run are not available.
func countVisits(r Report) (map[nodeKey]*visits, error) {
	found := map[nodeKey]*visits{}
	err := eachTrial(r, func(res eval.Result) {
		for _, n := range res.Nodes {
			key := nodeKey{res.Suite, res.Variant, n.Node}
			if found[key] == nil {
				found[key] = &visits{}
			}
			found[key].n++
			found[key].errors += n.Errors()
			switch {
			case n.CallError == trace.ReasonLowConfidence:
				found[key].rejected++
			case n.CallError.IsInvalidAnswer():
				found[key].invalid++
			}
		}
	})
	if errors.Is(err, errNoTrials) {
		return found, nil
	}
	return found, err
}

const visitsText = "Times cover a visit, from its first call to the end of its last. Errors count calls; unusable and rejected count visits. " +
	"Visits of different nodes can overlap, so their times can add up to more than the trial."

func nodePanel(suite string, c eval.ConditionSummary, failed map[nodeKey]*visits) document.Block {
	p := document.Block{Suite: suite, Variant: c.Variant, Table: document.Table{Keys: 1, Columns: []document.Column{
		{Key: "node", Head: "node"}, {Key: "calls", Head: "calls", Right: true},
		{Key: "p50_ms", Head: "p50", Estimate: true, Right: true},
		{Key: "p95_ms", Head: "p95", Estimate: true, Right: true},
		{Key: "p99_ms", Head: "p99", Estimate: true, Right: true},
		{Key: "share_of_time", Head: "share of time", Right: true}, {Key: "errors", Head: "errors", Right: true},
		{Key: "unusable", Head: "unusable", Right: true}, {Key: "rejected_answers", Head: "rejected", Right: true},
		{Key: "visits", Head: "of visits", Right: true}}}}
	parts := finding.VisitedNodes(c)
	for _, of := range parts {
		m := func(q string) document.Cell { return quantileValue(q, of.Quantile(c, q)) }
		row := []document.Cell{nameValue(of.Node), countValue(of.Calls), m("p50"), m("p95"), m("p99"), {Text: noValue},
			{}, {}, {}, {}}
		if parts[0].TotalMillis > 0 {
			row[5] = document.Cell{Text: percent(of.TimeShare) + " %", Value: of.TimeShare}
		}
		if v := failed[nodeKey{suite, c.Variant, of.Node}]; v != nil {
			row[6], row[7], row[8], row[9] = nonzeroValue(v.errors), nonzeroValue(v.invalid), nonzeroValue(v.rejected),
				countValue(v.n)
		}
		p.Table.AddRow(row)
	}
	return p
}

// nodeNames returns the sorted names of the nodes that have a latency metric with the prefix
// family.
func nodeNames(c eval.ConditionSummary, family string) (names []string) {
	for metric := range c.Metrics {
		if name, ok := strings.CutPrefix(metric, family); ok {
			if name, ok := strings.CutSuffix(name, ".p50"); ok {
				names = append(names, name)
			}
		}
	}
	slices.Sort(names)
	return names
}

// errNoTrials is returned by views that show single trials if only the summary of the run is
// available.
var errNoTrials = errors.New("requires the results of the run, which are not available")

// eachTrial calls use for the trials of a run without a fault. It returns errNoTrials if they are not
// available.
func eachTrial(r Report, use func(eval.Result)) error {
	if r.Run == nil {
		return errNoTrials
	}
	for res, err := range r.Run.Results() {
		if err != nil {
			return err
		}
		if cmp.Or(res.Fault, eval.NoFault) == eval.NoFault {
			use(res)
		}
	}
	return nil
}

// judgments counts the trials of a case in a condition by their verdict.
type judgments struct{ right, scored, unscored int64 }

// cellKey identifies a variant of a suite, for trials without a fault.
type cellKey struct{ suite, variant string }

// tagTallies counts right, wrong and unscored trials for each variant, tag and case.
type tagTallies map[cellKey]map[string]map[string]*judgments // keys: variant, then tag, then case

// tagPanels returns a table for each variant, with the accuracy for each tag, most cases first.
func tagPanels(r Report, prefix string) ([]document.Block, error) {
	found := tagTallies{}
	if err := eachTrial(r, func(res eval.Result) { found.add(res, prefix) }); err != nil {
		return nil, err
	}
	var list []document.Block
	for _, s := range r.Summary.Suites {
		for _, c := range finding.ConditionsWithoutFault(s) {
			list = append(list, tagPanel(s.Name, c.Variant, prefix, found[cellKey{s.Name, c.Variant}]))
		}
	}
	return list, nil
}

func (found tagTallies) add(res eval.Result, prefix string) {
	decision, ok := res.Decision()
	if !ok {
		return
	}
	key := cellKey{res.Suite, res.Variant}
	if found[key] == nil {
		found[key] = map[string]map[string]*judgments{}
	}
	for _, tag := range tagsOf(res, prefix) {
		cases := found[key][tag]
		if cases == nil {
			cases = map[string]*judgments{}
			found[key][tag] = cases
		}
		if cases[res.Case] == nil {
			cases[res.Case] = &judgments{}
		}
		cases[res.Case].count(decision.Verdict)
	}
}

func (t *judgments) count(v eval.Verdict) {
	switch v {
	case eval.Unscored:
		t.unscored++
	case eval.Pass:
		t.right++
		t.scored++
	default:
		t.scored++
	}
}

// tagsOf returns the tags of a trial that start with the prefix and a colon. For prefix "" it
// returns all tags. For prefix "lang", a trial without a language tag gets the detected language.
func tagsOf(res eval.Result, prefix string) []string {
	if prefix == "" {
		return res.Tags
	}
	tags := slices.DeleteFunc(slices.Clone(res.Tags),
		func(tag string) bool { return !strings.HasPrefix(tag, prefix+":") })
	if prefix == "lang" && len(tags) == 0 {
		return []string{cmp.Or(res.Language, eval.OtherLanguage)}
	}
	return tags
}

func tagPanel(suite, variant, prefix string, tags map[string]map[string]*judgments) document.Block {
	head := "tag"
	isTag := func(name string) bool { return strings.HasPrefix(name, "lang:") }
	switch {
	case prefix == "lang" && slices.ContainsFunc(slices.Collect(maps.Keys(tags)), isTag):
		head = "language"
	case prefix == "lang":
		head = "language (detected)"
	}
	p := document.Block{
		Suite:       suite,
		Variant:     variant,
		VisibleRows: maxTags,
		Noun:        "tag",
		Table: document.Table{Keys: 1, Columns: []document.Column{
			{Key: "tag", Head: head}, {Key: "accuracy", Head: "accuracy [95 %]", Estimate: true, Right: true},
			{Key: "cases", Head: "cases", Right: true}, {Key: "trials", Head: "trials", Right: true},
			{Key: "unscored", Head: "unscored", Right: true}}},
	}
	if len(tags) == 0 {
		p.Lines = []document.Line{{Text: "No scored case has such a tag."}}
	}
	names := slices.SortedFunc(maps.Keys(tags), func(a, b string) int {
		return cmp.Or(cmp.Compare(len(tags[b]), len(tags[a])), cmp.Compare(a, b))
	})
	for _, tag := range names {
		var share stats.Proportion
		var unscored int64
		for _, t := range tags[tag] {
			share.Add(t.right, t.scored)
			unscored += t.unscored
		}
		e := accuracyOfCases(&share, unscored)
		row := []document.Cell{nameValue(tag), shareValue(e), countValue(int64(len(tags[tag]))),
			countValue(e.N + unscored), nonzeroValue(unscored)}
		if e.N+unscored == int64(len(tags[tag])) {
			row[3].Text = "" // omit the number of trials, because each case has one trial
		}
		p.Table.AddRow(row)
	}
	return p
}

const maxTags = 25

// accuracyOfCases returns the share of right trials. The trials of a case form one cluster, because
// they are not independent.
func accuracyOfCases(share *stats.Proportion, unscored int64) eval.Estimate {
	e := eval.Estimate{N: share.N(), Missing: unscored}
	if share.Cases() < share.N() {
		e.Cases = share.Cases()
	}
	if v, ok := share.Value(); ok {
		e.Value = &v
	}
	if lo, hi, ok := share.Interval(stats.ConfidenceLevel); ok {
		e.Lo, e.Hi = &lo, &hi
	}
	return e
}
