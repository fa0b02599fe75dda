package reports

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"evalctl/eval"
	"evalctl/eval/compare"
	"evalctl/eval/metric"
	"evalctl/reports/document"
	"evalctl/reports/finding"
)

// ComparisonReport is the report of `evalctl compare`: variants or runs, compared on the same
// cases.
type ComparisonReport struct {
	Suites []compare.Comparison `json:"comparisons"` // one comparison for each suite

	CommonCasesOnly bool `json:"-"` // compare only the cases that all runs contain (--common-cases)
	document.Options
	ShowAll bool `json:"-"` // show all cases, classes and tags instead of the first 20 that changed
}

// maxBreakdownRows limits the classes or tags, and maxChangedCases the changed cases, that a
// comparison shows unless ShowAll is set.
const (
	maxBreakdownRows = 20
	maxChangedCases  = 20
)

// Write renders the comparison in the given format.
func (c ComparisonReport) Write(w io.Writer, format Format) error {
	return screen{noun: "comparison", layOut: c.document}.write(w, format, c.Options)
}

func (c ComparisonReport) document(to document.Target) document.Document {
	d := document.Document{Source: "evalctl compare", Data: c, Rows: c.rows}
	add := func(blocks ...document.Block) { d.Blocks = append(d.Blocks, blocks...) }
	for _, one := range c.Suites {
		add(comparisonHead(one))
		if len(one.Ranking) > 0 {
			add(ranking(one), c.rankingNote(one))
			continue
		}
		v := one.Pairs[0]
		add(comparedFigures(one, v))
		showsRest := "--all"
		if c.ShowAll {
			showsRest = ""
		}
		add(promptDiffs(one, to.Width, showsRest)...)
		if v.State != eval.Identical {
			add(c.breakdown("label", "recall", v.Classes)...)
			add(c.breakdown("tag", "accuracy", v.Tags)...)
		}
		add(c.changedCaseLines(one, v, changeWords(one.Epochs).Fixed, v.FixedCases)...)
		add(c.changedCaseLines(one, v, changeWords(one.Epochs).Broken, v.BrokenCases)...)
	}
	return d
}

// comparisonHead lists the compared variants as A, B and so on, because their names can be long. It
// describes dataset, models and time of each variant only if they differ.
func comparisonHead(c compare.Comparison) document.Block {
	b := document.Block{Level: 2, Heading: c.Suite + " · " + plural(c.Cases, "case") + inAllRuns(c)}
	data := haveDifferent(c.Candidates, func(s compare.Candidate) string { return s.Dataset })
	if of := c.Candidates[0].Dataset; !data && of != "" && of != c.Suite {
		b.Heading += " of " + of
	}
	if c.Epochs > 1 {
		b.Heading += fmt.Sprintf(" × %d epochs", c.Epochs)
	}
	if c.Fault != eval.NoFault {
		b.Heading += " · with fault " + c.Fault
	}
	if text := comparedOrigin(c.Candidates); text != "" {
		b.Heading += " · " + text
	}
	models, times := haveDifferent(c.Candidates, modelList),
		haveDifferent(c.Candidates, func(s compare.Candidate) string { return s.Clock })
	for i, s := range c.Candidates {
		parts := []string{s.Variant + " of " + s.Run}
		if data {
			parts = append(parts, "on "+cmp.Or(s.Dataset, "an unknown dataset"))
		}
		if models {
			parts = append(parts, cmp.Or(modelList(s), "unknown models"))
		}
		if times {
			parts = append(parts, cmp.Or(s.Clock, "unknown")+" time")
		}
		b.Lines = append(b.Lines, document.Line{Mark: letter(i), Text: strings.Join(parts, " · ")})
	}
	for _, n := range c.Notes {
		b.Lines = append(b.Lines, document.Line{Tone: document.Warn, Mark: "!", Text: n})
	}
	if len(c.Ranking) == 0 {
		v := withMeaningfulPower(c, c.Pairs[0])
		b.Lines = append(b.Lines, outcomeLine(v, changeWords(c.Epochs)))
	} else {
		for _, v := range c.Pairs {
			if v.State == eval.NotSignificant && len(v.SignificantTags) > 0 {
				b.Lines = append(b.Lines,
					document.Line{Mark: "~", Text: letter(v.Candidate) + " compared with " + letter(
						v.Reference) + ": " +
						plainText(finding.NoDifferenceSentence(v.Difference))})
			}
		}
	}
	if compare.HasUnreadPrompts(c.Candidates) {
		b.Lines = append(b.Lines, document.Line{Tone: document.Warn, Mark: "!", Text: eval.UnreadPromptsWarning + "."})
	}
	b.Lines = append(b.Lines, promptLines(c, letter)...)
	return b
}

// withMeaningfulPower removes the minimum detectable difference of two label-based simulated models.
// They use the same random numbers, so it is not meaningful, see [finding.Findings].
func withMeaningfulPower(c compare.Comparison, v compare.PairResult) compare.PairResult {
	if decidesByLabels(c.Candidates[v.Reference]) && decidesByLabels(c.Candidates[v.Candidate]) {
		v.MinDetectableDifference, v.MinDetectableDifferenceAllEpochs = nil, nil
	}
	return v
}

// promptLines names the prompts that differ from those of the first candidate; name returns the name
// of a candidate.
func promptLines(c compare.Comparison, name func(side int) string) (lines []document.Line) {
	for _, p := range c.Prompts {
		prompt, where := cmp.Or(p.To, p.Setting), ""
		if len(c.Ranking) > 0 {
			where = " in " + name(p.Candidate)
		}
		text := fmt.Sprintf("The built-in text of --%s changed%s.", p.Setting, where)
		switch {
		case p.OnlyIn != nil && cmp.Or(p.From, p.To) != "":
			text = fmt.Sprintf("The prompt %s (--%s) is only in %s.", cmp.Or(p.From, p.To),
				p.Setting, name(*p.OnlyIn))
		case p.OnlyIn != nil:
			text = fmt.Sprintf("The text of --%s is only in %s.", p.Setting, name(*p.OnlyIn))
		case p.From != "" && p.From == p.To:
			text = fmt.Sprintf("The prompt %s was edited%s.", prompt, where)
		case p.From != "" || p.To != "":
			text = fmt.Sprintf("The prompts differ (--%s): %s in %s, %s in %s.", p.Setting,
				cmp.Or(p.From, "the built-in one"), name(0), cmp.Or(p.To, "the built-in one"), name(p.Candidate))
		}
		lines = append(lines, document.Line{Mark: "·", Text: text})
	}
	return lines
}

// maxDiffLines limits the lines of a prompt's diff.
const maxDiffLines = 60

// promptDiffs shows how the prompts of two candidates differ. It cuts long diffs and names the command
// or flag that shows the rest; "": it shows all lines.
func promptDiffs(of compare.Comparison, width int, showsRest string) (list []document.Block) {
	for _, p := range of.Prompts {
		if p.OnlyIn != nil {
			continue
		}
		b := document.Block{Level: 3, Heading: "Changes of prompt " + cmp.Or(p.To, p.Setting)}
		lines := strings.Split(strings.TrimSuffix(p.Diff, "\n"), "\n")
		if len(lines) > maxDiffLines && showsRest != "" {
			lines = append(lines[:maxDiffLines], "… "+plural(int64(len(lines)-maxDiffLines),
				"more line")+": "+showsRest)
		}
		for _, l := range lines {
			b.Preformatted = append(b.Preformatted, wrapAfter(clean(l), width)...)
		}
		list = append(list, b)
	}
	return list
}

// wrapAfter breaks a line of a diff at a width. Continued lines are indented.
func wrapAfter(text string, width int) (lines []string) {
	if width == document.Unlimited || columnsOf(text) <= width {
		return []string{text}
	}
	for i, l := range wrap(text, width-2) {
		if i > 0 {
			l = "  " + l
		}
		lines = append(lines, l)
	}
	return lines
}

// comparedOrigin describes which models are simulated and whether time is simulated. It returns ""
// if no model is known, or if the compared variants differ and are described one by one.
func comparedOrigin(sides []compare.Candidate) string {
	all := eval.SuiteSummary{Clock: sides[0].Clock}
	real, simulated := false, false
	for _, s := range sides {
		all.Models = append(all.Models, s.Models...)
		for _, m := range s.Models {
			real, simulated = real || m.Kind == "real", simulated || m.Kind == "simulated"
		}
	}
	isMixed := haveDifferent(sides, func(s compare.Candidate) string { return s.Clock })
	switch {
	case len(all.Models) == 0 || real && haveDifferent(sides, modelList) || isMixed && (real || !simulated):
		return ""
	case isMixed:
		return "models are simulated"
	}
	return strings.Join(origin(all), " · ")
}

func inAllRuns(c compare.Comparison) string {
	switch {
	case !haveDifferent(c.Candidates, func(s compare.Candidate) string { return s.Run }):
		return ""
	case len(c.Candidates) > 2:
		return " in all runs"
	}
	return " in both runs"
}

func decidesByLabels(s compare.Candidate) bool {
	return slices.ContainsFunc(s.Models, func(m eval.ModelInfo) bool { return m.LabelBased })
}

func capitalize(text string) string {
	if text == "" {
		return ""
	}
	return strings.ToUpper(text[:1]) + text[1:]
}

// haveDifferent reports whether the compared variants differ in a property. The argument of returns
// the property of a variant.
func haveDifferent(sides []compare.Candidate, of func(compare.Candidate) string) bool {
	return slices.ContainsFunc(sides, func(s compare.Candidate) bool { return of(s) != of(sides[0]) })
}

func modelList(s compare.Candidate) string {
	var list []string
	for _, m := range s.Models {
		text := m.Component + " " + m.Kind
		if m.Note != "" {
			text += " (" + m.Note + ")"
		}
		list = append(list, text)
	}
	return strings.Join(list, ", ")
}

// changes contains the words for cases that got better (fixed) or worse (broken), in lower case and
// capitalized.
type changes struct{ fixed, broken, Fixed, Broken string }

// changeWords returns the words for cases that got better or worse. With several epochs the words
// are "right more often", because a case can be right in some epochs.
func changeWords(epochs int) changes {
	if epochs > 1 {
		return changes{
			fixed:  "right more often",
			broken: "less often",
			Fixed:  "Right more often",
			Broken: "Right less often",
		}
	}
	return changes{
		fixed:  "fixed",
		broken: "broken",
		Fixed:  "Fixed",
		Broken: "Broken",
	}
}

func (c changes) count(v compare.PairResult) string {
	return plural(v.Fixed, "case") + " " + c.fixed + ", " + thousands(v.Broken) + " " + c.broken
}

func letter(side int) string { return string(rune('A' + side)) }

// outcomeLine states the result of a comparison of two variants in one sentence.
func outcomeLine(v compare.PairResult, words changes) document.Line {
	switch v.State {
	case eval.Identical:
		return document.Line{Mark: "=", Text: "Identical decisions in " + allCases(v.Cases) + scoredInBoth(v) + "."}
	case eval.Better, eval.Worse:
		as, word := document.Good, "better"
		if v.State == eval.Worse {
			as, word = document.Bad, "worse"
		}
		text := fmt.Sprintf("B is %s by %s points%s, %s: %s", word,
			strings.TrimLeft(metric.FormatPoints(*v.Accuracy.Value), "+−"),
			contrastInterval(v.Accuracy, metric.FormatPoints),
			pValue(v.Accuracy.AdjustedP), words.count(v))
		if s, ok := finding.OppositeTagsSentence(v.Difference); ok {
			text += ". But " + plainText(s)
		}
		return document.Line{Tone: as, Mark: "·", Text: text + "."}
	case eval.NotSignificant:
		lead := capitalize(plainText(finding.NoDifferenceSentence(v.Difference)))
		if len(v.SignificantTags) > 0 {
			lead += ". Overall"
		}
		text := fmt.Sprintf("%s: %s points%s, %s: %s", lead, metric.FormatPoints(*v.Accuracy.Value),
			contrastInterval(v.Accuracy, metric.FormatPoints), pValue(v.Accuracy.AdjustedP), words.count(v))
		if c := v.Accuracy; isKnown(c.Lo) && isKnown(c.Hi) && *c.Lo**c.Hi > 0 && v.FamilySize > 1 {
			text += ", corrected for " + plural(v.FamilySize, "comparison")
		}
		if isKnown(v.MinDetectableDifference) {
			text += ". " + finding.DetectableDifferenceText(v.Difference)
		}
		return document.Line{Mark: "~", Text: text + "."}
	}
	return document.Line{Tone: document.Warn, Mark: "!",
		Text: fmt.Sprintf("Too few scored cases to compare: %s scored on both sides, %s on one side only.",
			plural(v.Cases, "case"), thousands(v.Unpaired))}
}

func plainText(s finding.Sentence) string {
	var b strings.Builder
	for _, p := range s.ShownParts(false) {
		b.WriteString(partOf(p).Text)
	}
	return b.String()
}

func scoredInBoth(v compare.PairResult) string {
	if v.Unpaired == 0 {
		return ""
	}
	return " scored on both sides"
}

func allCases(n int64) string {
	if n == 1 {
		return "the 1 case"
	}
	return "all " + thousands(n) + " cases"
}

func contrastInterval(c eval.Contrast, show func(float64) string) string {
	return span(c.Lo, c.Hi, show)
}

// pValue formats a p-value, such as "p = 0.021". Values below 0.001 become "p < 0.001".
func pValue(p *float64) string {
	switch {
	case !isKnown(p):
		return noValue
	case *p < 0.001:
		return "p < 0.001"
	}
	return "p = " + formatScore(*p)
}

// rows returns one row for each difference or ratio between two variants: over all cases, or over
// one class or tag.
func (c ComparisonReport) rows() *document.Table {
	g := document.ValueTable("suite", "fault", "run_a", "variant_a", "run_b", "variant_b", "class", "tag",
		"metric", "value", "lo",
		"hi", "p", "p_holm", "n", "state")
	for _, one := range c.Suites {
		for _, v := range one.Pairs {
			a, b := one.Candidates[v.Reference], one.Candidates[v.Candidate]
			add := func(class, tag string, d eval.Difference) {
				addDifference(g, []any{one.Suite, one.Fault, a.Run, a.Variant, b.Run, b.Variant, class, tag}, d)
			}
			add("", "", v.Difference)
			for _, p := range v.Classes {
				add(p.Name, "", p.Difference)
			}
			for _, p := range v.Tags {
				add("", p.Name, p.Difference)
			}
		}
	}
	return g
}

func addDifference(g *document.Table, keys []any, d eval.Difference) {
	add := func(metric string, c eval.Contrast, state eval.ComparisonState) {
		if c.Value != nil {
			g.AddValues(append(slices.Clone(keys), metric, c.Value, c.Lo, c.Hi, c.P, c.AdjustedP,
				c.N, string(state))...)
		}
	}
	add("route.accuracy", d.Accuracy, d.State)
	add("route.macro_f1", d.MacroF1, "")
	for _, name := range slices.Sorted(maps.Keys(d.Ratios)) {
		add("ratio "+name, d.Ratios[name], "")
	}
}
