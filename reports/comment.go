package reports

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"evalctl/eval"
	"evalctl/eval/compare"
	"evalctl/eval/number"
	"evalctl/reports/finding"
	"evalctl/reports/page"
)

// Limits for the parts of a pull request comment, in lines. With headings and blank lines, a
// comment has at most commentLines lines.
const (
	commentLines    = 60
	commentGates    = 10
	commentVariants = 10
	commentCases    = 10 // newly failing cases; as many newly passing cases are added
	commentText     = 80 // maximum length of a case's text, in terminal columns
)

// pullRequestComment renders a report as Markdown for a pull request: the gates, the change of each
// variant, and the cases that fail or pass since the baseline run.
func pullRequestComment(r Report) ([]byte, error) {
	var out bytes.Buffer
	fmt.Fprintf(&out, "### %s\n", escape(commentHeading(r)))
	var notes []line
	if r.Summary.Partial {
		notes = append(notes, partialText(r.Summary, "what follows"))
	}
	if title := overviewTitle(r); len(r.Summary.Suites) > 0 {
		notes = append(notes, line{text: title})
	}
	if len(r.Summary.Suites) == 0 {
		notes = append(notes, line{tone: bad, mark: "✗", text: "No suite ran."})
	}
	bullets(&out, notes)
	bullets(&out, commentVerdicts(r.Summary.Gates))
	if r.Run != nil && r.BaselineRun != nil {
		changedVariants(&out, r)
	} else {
		variantResults(&out, r)
	}
	var last []string
	if r.ResultsURL != "" {
		last = append(last, "[All results]("+r.ResultsURL+")")
	}
	if bytes.Contains(out.Bytes(), []byte(`| \~ `)) {
		last = append(last, `\~ no significant difference`)
	}
	if len(last) > 0 {
		fmt.Fprintf(&out, "\n%s\n", strings.Join(last, " · "))
	}
	return out.Bytes(), nil
}

func commentHeading(r Report) string {
	text := "evalctl"
	if len(r.Summary.Gates) > 0 {
		text += ": " + strings.ToLower(gatesHeading(r.Summary.Gates))
	}
	if r.BaselineRun != nil {
		text += " · compared with " + r.BaselineRun.Path
	}
	return text
}

// bullets writes the sentences as a Markdown list, after a blank line.
func bullets(out *bytes.Buffer, lines []line) {
	if len(lines) == 0 {
		return
	}
	b := block{lines: lines}
	b.clean()
	out.WriteByte('\n')
	b.markdown(out)
}

// commentVerdicts returns one line for each gate, failed gates first. It shows at most commentGates
// lines.
func commentVerdicts(all []eval.GateVerdict) []line {
	lines := gateBlock(all).lines
	if more := len(lines) - commentGates; more > 0 {
		lines = append(lines[:commentGates:commentGates], line{text: "and " + plural(int64(more), "more gate")})
	}
	return lines
}

// variantResults writes a table of the variants and the most important findings. Comments use it if
// there is no baseline run to compare with.
func variantResults(out *bytes.Buffer, r Report) {
	g := grid{keys: 1, columns: []column{{head: "variant"}, {head: "accuracy [95 %]", right: true},
		{head: "vs first", right: true}, {head: "p95", right: true}}}
	for _, s := range r.Summary.Suites {
		for _, c := range finding.ConditionsWithoutFault(s) {
			accuracy, change := shareCell(c.Metrics["route.accuracy"]), cell{text: "first"}
			if first := finding.BaselineVariant(s); c.Variant != first {
				change = cell{text: noValue}
				if d, ok := finding.Difference(s, c.Variant, first); ok && d.State != eval.InsufficientData &&
					isKnown(d.Accuracy.Value) {
					change = differenceCell(d)
				}
			}
			g.addRow([]cell{{text: nameIn(r, s.Name, c.Variant)},
				{text: strings.TrimSpace(accuracy.text + " " + accuracy.tail)},
				{text: strings.TrimSpace(change.text + " " + change.tail)},
				{text: durationOnly(c.Metrics["latency.p95"])}})
		}
	}
	commentTable(out, g)
	var lines []line
	for _, f := range overviewSentences(r.Summary.Suites) {
		l := line{text: f.String()}
		if f.IsWarning() {
			l.mark = "!"
		}
		lines = append(lines, l)
	}
	bullets(out, lines)
}

func durationOnly(e eval.Estimate) string {
	if !isKnown(e.Value) {
		return noValue
	}
	return number.Time(*e.Value)
}

// nameIn returns the name of a variant. If the report has several suites, the name starts with the
// suite.
func nameIn(r Report, suite, variant string) string {
	if len(r.Summary.Suites) > 1 {
		return named(suite) + " · " + named(variant)
	}
	return named(variant)
}

func commentTable(out *bytes.Buffer, g grid) {
	if g.rows() == 0 {
		return
	}
	more := g.rows() - commentVariants
	if more > 0 {
		g = g.firstRows(commentVariants)
	}
	out.WriteByte('\n')
	g.markdown(out)
	if more > 0 {
		fmt.Fprintf(out, "\nand %s more\n", plural(int64(more), "more variant"))
	}
}

// changedVariants writes the accuracy of each variant in the baseline run and in this run. It also
// lists the cases whose result changed.
func changedVariants(out *bytes.Buffer, r Report) {
	diff := page.CompareWithBaseline(r.Run, r.BaselineRun)
	g := grid{keys: 1, columns: []column{{head: "variant"}, {head: "accuracy before", right: true},
		{head: "after", right: true},
		{head: "change [95 %]", right: true}, {head: "newly passing/failing", right: true}, {head: "p95", right: true}}}
	var notes []line
	var failing, passing changedCases
	for _, s := range r.Summary.Suites {
		of := diff.Suite(s.Name)
		if of.NotComparedReason != "" {
			notes = append(notes, line{tone: warn, mark: "!",
				text: s.Name + " is not compared: " + of.NotComparedReason})
		}
		for _, c := range of.Variants {
			before, after, pair := c.Candidates[0], c.Candidates[1], c.Pairs[0]
			change := cell{text: noValue}
			if pair.State != eval.InsufficientData && isKnown(pair.Accuracy.Value) {
				change = differenceCell(pair.Difference)
			}
			g.addRow([]cell{{text: nameIn(r, s.Name, after.Variant)},
				{text: finding.FormatShare(before.Accuracy)}, {text: finding.FormatShare(after.Accuracy)},
				{text: strings.TrimSpace(change.text + " " + change.tail)},
				{text: thousands(pair.Fixed) + "/" + thousands(pair.Broken)},
				{text: durationOnly(before.P95) + " → " + durationOnly(after.P95)}})
			failing.add(s.Name, after.Variant, pair.BrokenCases)
			passing.add(s.Name, after.Variant, pair.FixedCases)
		}
		for _, v := range of.NewVariants {
			g.addRow([]cell{{text: nameIn(r, s.Name, v)}, {text: "new"}, {text: noValue},
				{text: noValue}, {text: noValue}, {text: noValue}})
		}
	}
	if more := len(notes) - 2; more > 0 {
		notes = append(notes[:1:1],
			line{tone: warn, mark: "!", text: plural(int64(more+1), "more suite") + " not compared"})
	}
	bullets(out, notes)
	commentTable(out, g)
	failing.write(out, "newly failing case", r)
	passing.write(out, "newly passing case", r)
}

// changedCase is a case whose result changed since the baseline run. It lists all variants in which
// the result changed in the same way.
type changedCase struct {
	suite string
	compare.ChangedCase
	variants []string
}

type changedCases []*changedCase

func (f *changedCases) add(suite, variant string, list []compare.ChangedCase) {
	for _, one := range list {
		same := func(o *changedCase) bool {
			return o.suite == suite && o.Case == one.Case && slices.Equal(o.Reference.Labels, one.Reference.Labels) &&
				slices.Equal(o.Candidate.Labels, one.Candidate.Labels)
		}
		if at := slices.IndexFunc(*f, same); at >= 0 {
			(*f)[at].variants = append((*f)[at].variants, variant)
			continue
		}
		*f = append(*f, &changedCase{suite: suite, ChangedCase: one, variants: []string{variant}})
	}
}

// write lists the changed cases; those that changed in most variants come first.
func (f changedCases) write(out *bytes.Buffer, what string, r Report) {
	if len(f) == 0 {
		return
	}
	cases := map[[2]string]bool{}
	for _, one := range f {
		cases[[2]string{one.suite, one.Case}] = true
	}
	slices.SortStableFunc(f, func(a, b *changedCase) int { return cmp.Compare(len(b.variants), len(a.variants)) })
	fmt.Fprintf(out, "\n**%s**\n\n", plural(int64(len(cases)), what))
	for _, one := range f[:min(len(f), commentCases)] {
		fmt.Fprintf(out, "- %s\n", one.markdown(r))
	}
	if more := len(f) - commentCases; more > 0 {
		text := "and " + thousands(int64(more)) + " more"
		if r.ResultsURL != "" {
			text = fmt.Sprintf("[%s](%s)", text, r.ResultsURL)
		}
		fmt.Fprintf(out, "- %s\n", text)
	}
}

func (f *changedCase) markdown(r Report) string {
	variants := f.variants
	if more := len(variants) - 3; more > 0 {
		variants = append(slices.Clone(variants[:3]), thousands(int64(more))+" more")
	}
	id := f.Case
	if len(r.Summary.Suites) > 1 {
		id = f.suite + "/" + id
	}
	return fmt.Sprintf("%s %s: %s → %s, expected %s (%s)", codeSpan(clean(shorten(id, commentText))),
		escape(`"`+shorten(clean(f.Text), commentText)+`"`),
		escape(labelsOf(f.Reference)), escape(labelsOf(f.Candidate)),
		escape(clean(cmp.Or(strings.Join(f.Expected, " or "), noValue))), escape(clean(strings.Join(variants, ", "))))
}

// labelsOf joins the labels that a case got in its epochs.
func labelsOf(a compare.CaseAnswers) string {
	return shorten(clean(cmp.Or(strings.Join(a.Labels, " or "), noValue)), commentText)
}
