package reports

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"evalctl/agent/text"
	"evalctl/eval"
	"evalctl/eval/compare"
	"evalctl/eval/gate"
	"evalctl/eval/history"
	"evalctl/eval/metric"
	"evalctl/eval/runs"
	"evalctl/reports/document"
	"evalctl/reports/finding"
	"evalctl/reports/page"
)

// comparisonAddress is the address of the view that compares the run with its baseline run.
const comparisonAddress = "#compare"

// Limits of the lists in a comparison. Readers can open the rest, up to maxFoldedRows.
const (
	maxHTMLBreakdownRows = 8
	maxHTMLChangedCases  = 12
	maxFoldedRows        = 200
	maxSettingRows       = 20
	maxSettingNotes      = 8
	minBreakdownCases    = 20  // fewer cases of a tag or label are shown only if they differ significantly
	maxCaseText          = 100 // characters
)

// comparisonViews returns the views that compare the run with the baseline run, which must be set. One
// pair of variants has one view. Several pairs have a view with a table, and a view for each pair.
func (h htmlReport) comparisonViews() []page.View {
	var pairs []comparedPair
	for _, s := range h.Summary.Suites {
		for _, c := range h.compared[s.Name].variants {
			pairs = append(pairs, newComparedPair(h.Run, h.BaselineRun, c))
		}
	}
	remarks := h.comparisonRemarks()
	if len(pairs) == 1 {
		v := pairs[0].view(comparisonAddress)
		if len(remarks) > 0 {
			v.Sections = append(v.Sections, page.FullWidth(document.Block{Heading: "Not compared", Lines: remarks}))
		}
		v.Name = "Compare"
		return []page.View{v}
	}
	for _, s := range h.Summary.Suites {
		if of := h.compared[s.Name]; len(of.variants) > 0 {
			for _, text := range of.variants[0].Notes {
				remarks = append(remarks, document.Line{Text: named(s.Name) + ": " + text})
			}
		}
	}
	before, after := runNames(h.BaselineRun.Path, h.Run.Path)
	all := page.View{Address: comparisonAddress, Name: "Compare", Title: before + " → " + after}
	all.Facts = append(all.Facts, seedFact(h.BaselineRun, h.Run)...)
	var table document.Block
	if len(pairs) > 0 {
		table = pairTable(pairs)
	} else if len(remarks) == 0 {
		remarks = []document.Line{{Mark: "!", Text: "The two runs have no variant in common."}}
	}
	all.Sections = []page.Section{page.FullWidth(document.Block{Lines: remarks}, table)}
	views := []page.View{all}
	for _, p := range pairs {
		views = append(views, p.view(p.address()))
	}
	return views
}

// addBaselineResults adds the results of the baseline run to the cases of the page. Results of a
// variant that is compared with a variant of another name are added to that one. Cases that are not
// compared have no result of the baseline run.
func (h htmlReport) addBaselineResults() error {
	type variant struct{ suite, name string }
	type condition struct {
		variant
		fault string
	}
	comparedWith, comparisons := map[variant][]variant{}, map[condition]compare.Comparison{}
	for _, s := range h.compared {
		for _, c := range s.variants {
			a, b := c.Candidates[c.Pairs[0].Reference], c.Candidates[c.Pairs[0].Candidate]
			from, to := variant{a.Suite, a.Variant}, variant{b.Suite, b.Variant}
			comparisons[condition{to, c.Fault}] = c
			if from != to && !slices.Contains(comparedWith[from], to) {
				comparedWith[from] = append(comparedWith[from], to)
			}
		}
	}
	add := func(r eval.Result, to variant) {
		if !comparisons[condition{to, r.Fault}].LeavesOut(r.Case) {
			r.Suite, r.Variant = to.suite, to.name
			h.trials.AddBaseline(r)
		}
	}
	for r, err := range h.BaselineRun.Results() {
		if err != nil {
			return fmt.Errorf("page: baseline run: %w", err)
		}
		from := variant{r.Suite, r.Variant}
		add(r, from)
		for _, to := range comparedWith[from] {
			add(r, to)
		}
	}
	return nil
}

// baselineChange returns the sentence about what changed in a suite since the baseline run. ok is
// false if the suite is not compared.
func (h htmlReport) baselineChange(s eval.SuiteSummary) (one finding.Sentence, ok bool) {
	of := h.compared[s.Name]
	if of.notComparedReason != "" || len(of.variants) == 0 {
		return one, false
	}
	return finding.BaselineChanges(h.BaselineRun.Path, of.variants, of.newVariants)
}

// comparisonRemarks names the suites and variants that are not compared.
func (h htmlReport) comparisonRemarks() (lines []document.Line) {
	warn := func(name, text string) {
		lines = append(lines, document.Line{Mark: "!",
			Parts: []document.Part{{Text: named(name), Tone: document.Strong}, {Text: text}}})
	}
	only := func(run, suite string, variants []string) {
		if len(variants) > 0 {
			lines = append(lines,
				document.Line{Text: fmt.Sprintf("Only in %s: %s of %s.", run, joinNames(variants), named(suite))})
		}
	}
	before, after := runNames(h.BaselineRun.Path, h.Run.Path)
	for _, s := range h.Summary.Suites {
		of := h.compared[s.Name]
		if of.notComparedReason != "" {
			warn(s.Name, " is not compared: "+of.notComparedReason+".")
		}
		only(after, s.Name, of.newVariants)
		only(before, s.Name, of.removedVariants)
	}
	return lines
}

func seedFact(before, after *runs.Run) []string {
	switch a, b := before.Manifest, after.Manifest; {
	case a.Version == "" || b.Version == "":
		return nil
	case a.Seed == b.Seed:
		return []string{fmt.Sprintf("seed %d", a.Seed)}
	default:
		return []string{fmt.Sprintf("seeds %d and %d", a.Seed, b.Seed)}
	}
}

// pairTable returns a table with a row for each pair.
func pairTable(pairs []comparedPair) document.Block {
	var contrasts []eval.Contrast
	for _, p := range pairs {
		contrasts = append(contrasts, p.pair.Accuracy)
	}
	axis := contrastRange(contrasts).axis(document.PointsAxis)
	severalSuites := slices.ContainsFunc(pairs, func(p comparedPair) bool { return p.Suite != pairs[0].Suite })
	g := document.Table{Keys: 1, Class: "compared pairs", Columns: []document.Column{{Head: "variant"},
		{Head: pairs[0].before, Right: true}, {Head: pairs[0].after, Right: true}, {Axis: axis},
		{Head: "difference, points", TailHead: "[95 %]", Right: true}, {Head: "cases", Right: true},
		{Head: "fixed", Right: true}, {Head: "broken", Right: true}}}
	for _, p := range pairs {
		name := document.Cell{Text: p.conditionName(), Link: p.address()}
		if severalSuites {
			name.Note = named(p.candidate.Suite)
		}
		g.AddRow([]document.Cell{name, {Text: shareOnly(p.reference.Accuracy)}, {Text: shareOnly(p.candidate.Accuracy)},
			differenceMarks(p.pair.Difference), differenceCell(p.pair.Difference),
			{Text: thousands(p.pair.Cases)},
			{Text: thousands(p.pair.Fixed), Link: p.changedLink(page.NewPass, p.pair.Fixed)},
			{Text: thousands(p.pair.Broken), Link: p.changedLink(page.NewFailure, p.pair.Broken)}})
	}
	return document.Block{Heading: "Accuracy", Table: g, Graphics: document.Graphics{Legend: pairLegend,
		Note: "Each variant with itself on the same cases. Differences are paired; " +
			"significance is adjusted within a suite (Holm), intervals are not."}}
}

// comparedPair is a variant of the baseline run and a variant of the run.
type comparedPair struct {
	compare.Comparison
	pair                 compare.PairResult
	reference, candidate compare.Candidate
	before, after        string // short names of the runs
	facts                []string
	settings             document.Block
	words                changes
}

func newComparedPair(now, before *runs.Run, c compare.Comparison) comparedPair {
	p := comparedPair{Comparison: c, pair: withMeaningfulPower(c, c.Pairs[0]), words: changeWords(c.Epochs)}
	p.reference, p.candidate = c.Candidates[p.pair.Reference], c.Candidates[p.pair.Candidate]
	p.before, p.after = runNames(before.Path, now.Path)
	p.facts = seedFact(before, now)
	p.settings = p.settingsBlock(before, now)
	return p
}

// address returns the address of the pair's view if there are several.
func (p comparedPair) address() string {
	at := page.SuiteLink(p.candidate.Suite, p.candidate.Variant)
	if p.Fault != eval.NoFault {
		at += "/" + strings.TrimPrefix(page.SuiteLink(p.Fault, ""), "#suite/")
	}
	return comparisonAddress + strings.TrimPrefix(at, "#suite")
}

// bothNames returns a name, or the names in both runs if they differ.
func bothNames(before, after string) string {
	if before == after {
		return named(after)
	}
	return named(before) + " → " + named(after)
}

// conditionName returns the name of the variant and of the fault.
func (p comparedPair) conditionName() string {
	name := bothNames(p.reference.Variant, p.candidate.Variant)
	if p.Fault != eval.NoFault {
		name += " under " + named(p.Fault)
	}
	return name
}

func (p comparedPair) changedLink(change page.Change, n int64) string {
	if n == 0 {
		return ""
	}
	return p.casesLink(change).String()
}

func (p comparedPair) casesLink(change page.Change) page.CasesLink {
	link := page.CasesLink{Suite: p.candidate.Suite, Variant: p.candidate.Variant, Change: change}
	if p.Fault != eval.NoFault {
		link.Fault = p.Fault
	}
	return link
}

func (p comparedPair) view(address string) page.View {
	v := page.View{Address: address, Title: p.before + " → " + p.after}
	size := "the same " + plural(p.Cases, "case")
	if p.Epochs > 1 {
		size += fmt.Sprintf(" × %d epochs", p.Epochs)
	}
	v.Facts = append(v.Facts, bothNames(p.reference.Suite, p.candidate.Suite), "variant "+p.conditionName(), size)
	v.Facts = append(v.Facts, p.facts...)
	if origin := comparedOrigin(p.Candidates); strings.Contains(origin, "simulated") {
		v.Warning = origin
	} else if origin != "" {
		v.Facts = append(v.Facts, origin)
	}
	v.Sections = []page.Section{
		{Columns: []page.Column{
			{Width: 7, Blocks: []document.Block{
				{Graphics: document.Graphics{Headline: p.headline()}, Lines: p.findings()}}},
			{Width: 5, Blocks: []document.Block{p.settings}},
		}},
	}
	if p.pair.State == eval.InsufficientData {
		return v
	}
	v.Sections = append(v.Sections, page.FullWidth(p.outcomes()))
	add := func(left, right document.Block) {
		v.Sections = append(v.Sections, page.Section{Columns: []page.Column{
			{Width: 6, Blocks: []document.Block{left}}, {Width: 6, Blocks: []document.Block{right}}}})
	}
	add(p.metricTable("Quality", "difference", false), p.metricTable("Latency and cost", "ratio", true))
	if p.pair.State != eval.Identical {
		add(p.breakdown("By tag", p.tags()), p.breakdown("By label", p.labels()))
	}
	add(p.changedCases(p.words.Fixed, page.NewPass, p.pair.FixedCases),
		p.changedCases(p.words.Broken, page.NewFailure, p.pair.BrokenCases))
	return v
}

// headline states the result in one sentence.
func (p comparedPair) headline() []document.Part {
	before := document.Part{Text: p.before, Tone: document.Strong}
	after := document.Part{Text: p.after, Tone: document.Strong}
	d := p.pair.Accuracy
	counts := []document.Part{
		{Text: plural(p.pair.Fixed, "case") + " " + p.words.fixed, Link: p.changedLink(page.NewPass, p.pair.Fixed)},
		{Text: ", "},
		{Text: thousands(p.pair.Broken) + " " + p.words.broken, Link: p.changedLink(page.NewFailure, p.pair.Broken)},
		{Text: "."},
	}
	switch p.pair.State {
	case eval.Identical:
		return []document.Part{before, {Text: " and "}, after,
			{Text: " make identical decisions in " + allCases(p.pair.Cases) + scoredInBoth(p.pair) + "."}}
	case eval.Better, eval.Worse:
		word := "more"
		if p.pair.State == eval.Worse {
			word = "less"
		}
		by := strings.TrimLeft(metric.FormatPoints(*d.Value), "+−")
		return slices.Concat([]document.Part{after, {Text: fmt.Sprintf(" is %s points %s accurate than ", by, word)},
			before, {Text: intervalWords(d) + ": "}}, counts)
	case eval.NotSignificant:
		return slices.Concat([]document.Part{{Text: "The accuracy of "}, after,
			{Text: " does not differ significantly from "}, before,
			{Text: ": " + metric.FormatPoints(*d.Value) + " points" + intervalWords(d) + ", "}}, counts)
	}
	return []document.Part{{Text: fmt.Sprintf(
		"Too few scored cases to compare: %s scored in both runs, %s in one only.", plural(p.pair.Cases, "case"),
		thousands(p.pair.Unpaired))}}
}

func intervalWords(d eval.Contrast) string {
	var parts []string
	if isKnown(d.Lo) && isKnown(d.Hi) {
		parts = append(parts, "95 % interval "+pointsBound(*d.Lo)+" to "+pointsBound(*d.Hi))
	}
	if isKnown(d.AdjustedP) {
		parts = append(parts, pValue(d.AdjustedP))
	}
	if parts == nil {
		return ""
	}
	return " (" + strings.Join(parts, ", ") + ")"
}

// findings returns the limits of the comparison and what explains the difference.
func (p comparedPair) findings() (lines []document.Line) {
	for _, n := range p.Notes {
		lines = append(lines, document.Line{Mark: "!", Text: capitalize(strings.TrimSuffix(n, ".")) + "."})
	}
	if compare.HasUnreadPrompts(p.Candidates) {
		lines = append(lines, document.Line{Mark: "!", Text: eval.UnreadPromptsWarning + "."})
	}
	for _, state := range []eval.ComparisonState{eval.Better, eval.Worse} {
		lines = append(lines, p.partFinding("Cases with the tag", state, p.tags())...)
		lines = append(lines, p.partFinding("Recall of", state, p.labels())...)
	}
	if t := p.latencySentence(); t != "" {
		lines = append(lines, document.Line{Text: t})
	}
	if counts := countChanges(p.pair.BrokenCases); p.Epochs <= 1 && len(counts) > 0 && counts[0].n > 1 {
		lines = append(lines, document.Line{Mark: "!", Text: fmt.Sprintf("%s of %s change from %s.",
			thousands(counts[0].n), plural(int64(len(p.pair.BrokenCases)), "broken case"),
			strings.Replace(counts[0].change, " → ", " to ", 1))})
	}
	if p.pair.State == eval.NotSignificant && isKnown(p.pair.MinDetectableDifference) {
		lines = append(lines, document.Line{Text: finding.DetectableDifferenceText(p.pair.Difference) + "."})
	}
	return lines
}

// maxNamedParts is the maximum number of tags or labels that a finding names.
const maxNamedParts = 3

// partFinding names the tags or labels that differ significantly, the largest differences first. It
// omits those of all cases. It returns nil if there are none.
func (p comparedPair) partFinding(lead string, state eval.ComparisonState, all parts) []document.Line {
	list := slices.DeleteFunc(slices.Clone(all.list),
		func(b compare.Breakdown) bool {
			return b.State != state || all.unit != "turn" && b.Cases == p.pair.Cases
		})
	if len(list) == 0 {
		return nil
	}
	slices.SortStableFunc(list, all.compare)
	word := " better: "
	l := document.Line{}
	if state == eval.Worse {
		word, l.Mark = " worse: ", "!"
	}
	for i, b := range list[:min(len(list), maxNamedParts)] {
		text := lead + " "
		if i > 0 {
			text = "; "
		}
		l.Parts = append(l.Parts, document.Part{Text: text}, document.Part{Text: named(b.Name), Tone: document.Strong})
		if i == 0 {
			text = " is" + word
			if strings.HasPrefix(lead, "Cases") {
				text = " are" + word
			}
		} else {
			text = " "
		}
		l.Parts = append(l.Parts, document.Part{Text: text + fmt.Sprintf("%s → %s of %s", shareOnly(b.Reference),
			shareOnly(b.Candidate), plural(all.count(b), all.unit))})
	}
	end := "."
	if more := len(list) - maxNamedParts; more > 0 {
		end = " and " + thousands(int64(more)) + " more."
	}
	l.Parts = append(l.Parts, document.Part{Text: end})
	return []document.Line{l}
}

// latencySentence states which of the ratios of latency and cost differ from 1. They have no test, so their
// 95 % intervals decide. It returns "" if none is known.
func (p comparedPair) latencySentence() string {
	var changed, same []string
	for _, m := range comparedMetrics(p.Comparison, p.pair) {
		if !m.ratio || !isKnown(m.difference.Value) {
			continue
		}
		name, words := m.name, []string{"shorter", "longer"}
		if m.name == costMetric {
			name, words = "the cost", []string{"lower", "higher"}
		}
		r := *m.difference.Value
		if !m.significant() || math.Abs(r-1) < 0.005 {
			same = append(same, name)
			continue
		}
		word := words[0]
		if r > 1 {
			word = words[1]
		}
		changed = append(changed, fmt.Sprintf("%s is %s %% %s", name, metric.FormatRounded(100*math.Abs(r-1)), word))
	}
	var sentences []string
	if len(changed) > 0 {
		noun := "interval excludes"
		if len(changed) > 1 {
			noun = "intervals exclude"
		}
		sentences = append(sentences, capitalize(text.JoinAnd(changed))+" (the 95 % "+noun+" 1).")
	}
	switch len(same) {
	case 0:
	case 1:
		sentences = append(sentences, "The 95 % interval of the ratio of "+same[0]+" contains 1.")
	default:
		sentences = append(sentences, "The 95 % intervals of the ratios of "+text.JoinAnd(same)+" contain 1.")
	}
	return keepQuantileNames.Replace(strings.Join(sentences, " "))
}

// keepQuantileNames restores the lower case of names at the start of a sentence.
var keepQuantileNames = strings.NewReplacer("P50", "p50", "P95", "p95")

type changeCount struct {
	change string // labels before and after
	n      int64
}

// countChanges counts the changes of labels, the most frequent first.
func countChanges(list []compare.ChangedCase) (counts []changeCount) {
	for _, c := range list {
		change := labelChange(c)
		at := slices.IndexFunc(counts, func(o changeCount) bool { return o.change == change })
		if at < 0 {
			at, counts = len(counts), append(counts, changeCount{change: change})
		}
		counts[at].n++
	}
	slices.SortStableFunc(counts, func(a, b changeCount) int { return cmp.Compare(b.n, a.n) })
	return counts
}

// labelChange returns the labels of a case before and after, without the numbers of epochs.
func labelChange(c compare.ChangedCase) string {
	return predictionText(compare.CaseAnswers{Labels: c.Reference.Labels}) + " → " +
		predictionText(compare.CaseAnswers{Labels: c.Candidate.Labels})
}

// settingsBlock lists the settings that differ, and the changes of prompts, folded.
func (p comparedPair) settingsBlock(before, now *runs.Run) document.Block {
	b := document.Block{Heading: "Settings that differ"}
	note := func(text string) {
		b.Notes = append(b.Notes, document.Line{Text: text})
	}
	if before.Manifest.Version == "" || now.Manifest.Version == "" {
		note("A results file does not contain settings.")
	} else {
		g := document.Table{Keys: 1, Class: "settings",
			Columns: []document.Column{{Head: "setting"}, {Head: p.before}, {Head: p.after}}}
		list := history.SettingChanges(before.Manifest, now.Manifest,
			gate.Condition{Suite: p.reference.Suite, Variant: p.reference.Variant},
			gate.Condition{Suite: p.candidate.Suite, Variant: p.candidate.Variant})
		add := func(name, was, is string) {
			if was != is {
				g.AddRow([]document.Cell{{Text: name}, {Text: was, Tone: document.Faint},
					{Text: is, Tone: document.Strong}})
			}
		}
		add("version of evalctl", before.Manifest.Version, now.Manifest.Version)
		add("seed", fmt.Sprint(before.Manifest.Seed), fmt.Sprint(now.Manifest.Seed))
		for _, c := range list[:min(len(list), maxSettingRows)] {
			was, is := c.Shortened()
			add(strings.TrimPrefix(c.Name, "suite's "), was, is)
		}
		b.Table = g
		switch more := len(list) - maxSettingRows; {
		case more > 0:
			note(fmt.Sprintf("%s more.", plural(int64(more), "setting")))
		case g.Rows() == 0 && len(p.Prompts) == 0:
			note("No setting differs.")
		}
		was, is := datasetHash(before, p.reference.Suite), datasetHash(now, p.candidate.Suite)
		switch {
		case was == is && is != "":
			note("Same dataset (" + is[:min(len(is), 8)] + ").")
		case was != is:
			note("The files of the datasets differ; all figures cover only the same cases.")
		}
	}
	lines := promptLines(p.Comparison, func(side int) string { return []string{p.before, p.after}[side] })
	for _, l := range lines[:min(len(lines), maxSettingNotes)] {
		note(l.Text)
	}
	if more := len(lines) - maxSettingNotes; more > 0 {
		note(plural(int64(more), "more prompt") + " changed.")
	}
	if diffs := promptDiffs(p.Comparison, document.Unlimited, "evalctl compare --all"); len(diffs) > 0 {
		b.More = &document.Folded{Name: "Changes of " + plural(int64(len(diffs)), "prompt"),
			Blocks: diffs[:min(len(diffs), maxSettingNotes)]}
	}
	return b
}

// datasetHash returns the hash of a suite's dataset file; "": unknown.
func datasetHash(r *runs.Run, suite string) string {
	for i, s := range r.Suites() {
		if s.Name == suite && i < len(r.Manifest.Datasets) {
			return r.Manifest.Datasets[i].Hash
		}
	}
	return ""
}
