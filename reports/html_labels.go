package reports

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"

	"evalctl/agent/text"
	"evalctl/eval"
	"evalctl/eval/metric"
	"evalctl/reports/document"
	"evalctl/reports/finding"
	"evalctl/reports/page"
)

// Limits of what the page shows of labels.
const (
	// number of labels up to which the view of a suite shows a confusion matrix with numbers; with
	// more labels, the suite has a view of its labels
	maxMatrixLabels  = 12
	suitePairs       = 8   // confusions in the view of a suite
	openPairs        = 15  // confusions in the view of labels that are visible without a click
	maxPairs         = 100 // confusions in the view of labels
	manyLabels       = 200 // with more labels, the view has half of the confusions and fewer links, to stay small
	comparedVariants = 3   // other variants next to the confusions of a variant
	maxLabelVariants = 6   // variants in the view of labels
	openLabels       = 20  // labels in the table by recall that are visible without a click
	// variants up to which the table by recall has precision and F1 of all variants
	maxDetailedVariants = 3
	highRecall          = 0.95 // recall from which a label is not colored
	maxLabelText        = 40   // columns of a label's name in a drawing
	maxVariantText      = 20   // columns of a variant's name in the head of a column
)

// labelsAddress returns the address of the view of a suite's labels.
func labelsAddress(s eval.SuiteSummary) string { return page.SuiteLink(s.Name, "labels") }

// labelResults returns the results of the variants without a fault: first those of the variant that the
// key figures describe, then the most accurate. With many labels, variants with random errors come last:
// nobody can learn from their confusions. It omits variants with the same results as an earlier one.
func (h htmlReport) labelResults(s eval.SuiteSummary) (list []labelResults) {
	ranked := rankedConditions(s)
	if best, ok := bestCondition(s); ok {
		i := slices.IndexFunc(ranked, func(c eval.ConditionSummary) bool { return c.Variant == best.Variant })
		ranked = slices.Insert(slices.Delete(ranked, i, i+1), 0, best)
	}
	distributions := h.trials.Distributions(s)
	for _, c := range ranked {
		if c.Confusion == nil && len(c.ConfusedPairs) == 0 {
			continue
		}
		same := slices.IndexFunc(list, func(o labelResults) bool {
			return reflect.DeepEqual(o.Confusion, c.Confusion) && reflect.DeepEqual(o.ConfusedPairs, c.ConfusedPairs)
		})
		if same >= 0 {
			list[same].same = append(list[same].same, named(c.Variant))
			continue
		}
		one := newLabelResults(s, c)
		one.examples = func(p labelPair) (page.Example, bool) {
			return distributions.Example(c.Variant, p.expected, p.predicted)
		}
		list = append(list, one)
	}
	if len(list) > 0 && len(list[0].expected) > maxMatrixLabels {
		slices.SortStableFunc(list, func(a, b labelResults) int { return cmp.Compare(a.randomErrors(), b.randomErrors()) })
	}
	return list
}

// randomErrors returns 1 for a variant whose wrong decisions are random, because its model is
// simulated. Otherwise it returns 0.
func (r labelResults) randomErrors() int {
	if r.suite.IsLabelBased(r.Variant) {
		return 1
	}
	return 0
}

func newLabelResults(s eval.SuiteSummary, c eval.ConditionSummary) labelResults {
	r := labelResults{
		ConditionSummary: c,
		suite:            s,
		expected:         map[string]int64{},
		wrong:            map[labelPair]int64{},
		topOf:            map[string]eval.ConfusedPair{},
	}
	if c.Confusion == nil { // too many labels: the summary has only the most frequent pairs
		r.pairs = c.ConfusedPairs
		for _, p := range r.pairs {
			r.wrong[labelPair{p.Expected, p.Predicted}] = p.N
			r.expected[p.Expected] = c.Metrics["route.recall."+p.Expected].N
		}
	} else {
		r.addMatrix(*c.Confusion)
	}
	for _, p := range r.pairs {
		if _, known := r.topOf[p.Expected]; !known {
			r.topOf[p.Expected] = p
		}
	}
	return r
}

func (r *labelResults) addMatrix(m eval.Confusion) {
	for i, counts := range m.Counts {
		for j, n := range counts {
			r.expected[m.Labels[i]] += n
			if i != j && n > 0 {
				pair := labelPair{m.Labels[i], m.Labels[j]}
				r.wrong[pair] = n
				r.pairs = append(r.pairs, eval.ConfusedPair{Expected: pair.expected, Predicted: pair.predicted, N: n})
			}
		}
	}
	maps.DeleteFunc(r.expected, func(_ string, n int64) bool { return n == 0 })
	slices.SortFunc(r.pairs, func(a, b eval.ConfusedPair) int {
		return cmp.Or(cmp.Compare(b.N, a.N), cmp.Compare(a.Expected, b.Expected), cmp.Compare(a.Predicted, b.Predicted))
	})
	for _, p := range r.ConfusedPairs { // they have example cases
		i := slices.IndexFunc(r.pairs, func(o eval.ConfusedPair) bool {
			return o.Expected == p.Expected && o.Predicted == p.Predicted
		})
		if i >= 0 {
			r.pairs[i].Cases = p.Cases
		}
	}
}

// errors returns the number of wrong decisions, and of all scored decisions.
func (r labelResults) errors() (wrong, scored int64) {
	for _, n := range r.wrong {
		wrong += n
	}
	for _, n := range r.expected {
		scored += n
	}
	return wrong, scored
}

// recall returns the recall of a label that some scored decision expects.
func (r labelResults) recall(label string) float64 {
	if e := r.Metrics["route.recall."+label]; isKnown(e.Value) {
		return *e.Value
	}
	wrong := int64(0)
	for p, n := range r.wrong {
		if p.expected == label {
			wrong += n
		}
	}
	return 1 - float64(wrong)/float64(max(r.expected[label], 1))
}

// unscoredLabels returns the labels without a scored decision, with the number of their decisions.
func (r labelResults) unscoredLabels() map[string]int64 {
	labels := map[string]int64{}
	for name, e := range r.Metrics {
		if label, ok := strings.CutPrefix(name, "route.recall."); ok && e.N == 0 && e.Missing > 0 {
			labels[label] = e.Missing
		}
	}
	return labels
}

// countsTurns reports whether the counts of labels are turns instead of trials, because some trial
// has several turns. The accuracy always counts each trial once.
func (r labelResults) countsTurns() bool {
	return r.Metrics["route.macro_f1"].N > r.Metrics["route.accuracy"].N
}

// noun returns what the counts of labels are: cases, trials or turns.
func (r labelResults) noun() string {
	switch {
	case r.countsTurns():
		return "turn"
	case r.suite.Epochs > 1:
		return "trial"
	}
	return "case"
}

// name returns the name of a label for readers. It marks the out-of-scope label.
func (r labelResults) name(label string) string { return r.nameOf(label, named(label)) }

// shortName returns the name of a label for a drawing, in which lines cannot be wrapped.
func (r labelResults) shortName(label string) string {
	return r.nameOf(label, shorten(named(label), maxLabelText))
}

func (r labelResults) nameOf(label, name string) string {
	switch {
	case finding.IsInvalidLabel(r.ConditionSummary, label):
		return noLabel
	case label == r.suite.OOSLabel && label != "":
		return name + " (out of scope)"
	}
	return name
}

func (r labelResults) casesLink(p labelPair) page.CasesLink {
	return page.CasesLink{Suite: r.suite.Name, Variant: r.Variant, Expected: p.expected, Predicted: p.predicted}
}

// count returns a cell with the number of decisions, linked to their cases. The number is unknown if the
// summary has only the most frequent pairs, and not this one.
func (r labelResults) count(p labelPair, tone document.Tone) document.Cell {
	n := r.wrong[p]
	if n == 0 && r.Confusion == nil {
		return document.Cell{Text: noValue, Tone: document.Faint}
	}
	if n == 0 {
		return document.Cell{Text: "0", Tone: document.Faint}
	}
	return document.Cell{Text: thousands(n), Tone: tone, Link: r.casesLink(p).String()}
}

// countOfCases returns the cell of [labelResults.count]. If turns are counted, it also states in how
// many cases they are, because the link leads to cases.
func (r labelResults) countOfCases(h htmlReport, p labelPair) document.Cell {
	c := r.count(p, document.Strong)
	if d := h.trials.Distributions(r.suite); d != nil && r.countsTurns() {
		if n := d.TrialsWithConfusion(r.ConditionSummary, p.expected, p.predicted, r.wrong[p]); n != r.wrong[p] {
			c.Tail = "in " + plural(n, "case")
		}
	}
	return c
}

// exampleCell returns the text of an example case, linked to the case.
func (r labelResults) exampleCell(p eval.ConfusedPair) document.Cell {
	one, ok := r.examples(labelPair{p.Expected, p.Predicted})
	if !ok && len(p.Cases) > 0 {
		one.Case, ok = p.Cases[0], true
	}
	if !ok {
		return document.Cell{}
	}
	list := page.CasesLink{Suite: r.suite.Name, Variant: r.Variant}
	return document.Cell{Text: cmp.Or(one.Text, one.Case), Link: page.CaseLink{List: list, ID: one.Case}.String()}
}

// confusionTable returns the given confusions of a variant as a table, next to the same confusions in
// other variants. axis is the shared axis of the shares.
func (r labelResults) confusionTable(h htmlReport, pairs []eval.ConfusedPair, others []labelResults,
	axis *document.Axis) document.Table {
	columns := []document.Column{
		{Head: "expected → predicted"},
		{Head: r.noun() + "s", Right: true},
		{Head: "of", Right: true},
		{Head: "share of expected", Axis: axis},
		{Right: true},
		{Head: "reverse", Right: true},
	}
	for _, o := range others {
		columns = append(columns, document.Column{Head: shortenMiddle(named(o.Variant), maxVariantText), Right: true})
	}
	columns = append(columns, document.Column{Head: "example"})
	t := document.Table{Keys: 1, Class: "pairs", Columns: columns}
	for _, p := range pairs {
		pair := labelPair{p.Expected, p.Predicted}
		of := r.expected[p.Expected]
		share := float64(p.N) / float64(max(of, 1))
		cells := []document.Cell{
			{Parts: []document.Part{{Text: r.name(p.Expected) + " → "},
				{Text: r.name(p.Predicted), Tone: document.Strong}}},
			r.countOfCases(h, pair),
			{Text: thousands(of), Tone: document.Faint},
			{Marks: []document.Mark{{Shape: document.Bar, To: share, Tone: document.Bad}}},
			{Text: metric.FormatShare(share)},
			r.count(labelPair{p.Predicted, p.Expected}, document.Plain),
		}
		for _, o := range others {
			cells = append(cells, o.count(pair, document.Plain))
		}
		t.AddRow(append(cells, r.exampleCell(p)))
	}
	return t
}

// shareAxis returns an axis for the shares of confusions in their expected labels.
func (r labelResults) shareAxis(pairs []eval.ConfusedPair) *document.Axis {
	most := 0.0
	for _, p := range pairs {
		most = max(most, float64(p.N)/float64(max(r.expected[p.Expected], 1)))
	}
	return document.AmountAxis(most)
}

// pairsNote states how many of the confusions a table shows, and what its columns are.
func (r labelResults) pairsNote(shown int, others []labelResults) string {
	wrong, _ := r.errors()
	in := int64(0)
	for _, p := range r.pairs[:shown] {
		in += p.N
	}
	note := fmt.Sprintf("%d of %s, %s of %s.", shown, plural(int64(len(r.pairs)), "pair"), thousands(in),
		plural(wrong, "wrong "+r.noun()))
	if r.Confusion == nil {
		note = "The most frequent pairs; the run has too many labels for a matrix."
	}
	if r.pairs[0].N == 1 && len(r.pairs) > 1 {
		note += " No pair occurs twice: in alphabetical order."
	}
	note += " Reverse: the same two labels the other way round."
	if len(others) > 0 {
		note += " Variant names: the same pair in that variant."
	}
	if len(r.same) > 0 {
		note += " The same in " + text.JoinAnd(r.same) + "."
	}
	return note
}

// otherResults returns the results of up to comparedVariants variants other than number i.
func otherResults(all []labelResults, i int) []labelResults {
	others := slices.Delete(slices.Clone(all), i, i+1)
	return others[:min(len(others), comparedVariants)]
}

// confusionSections returns the section of a suite's view with the top confusions of the best variant
// and, for up to maxMatrixLabels labels, the confusion matrix next to them. It returns nil if nothing
// was confused or no decision was scored.
func (h htmlReport) confusionSections(s eval.SuiteSummary) []page.Section {
	all := h.labelResults(s)
	if len(all) == 0 || len(all[0].pairs) == 0 {
		return nil
	}
	best, others := all[0], otherResults(all, 0)
	pairs := best.pairs[:min(len(best.pairs), suitePairs)]
	top := document.Block{
		Heading: "Top confusions of " + named(best.Variant),
		Table:   best.confusionTable(h, pairs, others, best.shareAxis(pairs)),
		Graphics: document.Graphics{ID: page.SuiteLink(s.Name, "confusions")[1:],
			Note: best.pairsNote(len(pairs), others)},
	}
	if best.Confusion == nil {
		return []page.Section{page.FullWidth(top)}
	}
	if hasLabelsView(all) {
		top.Notes = []document.Line{{Parts: []document.Part{{
			Text: "All confusions, the sorted matrix and the recall of " + plural(int64(len(best.expected)), "label"),
			Link: labelsAddress(s),
		}}}}
		return []page.Section{page.FullWidth(top)}
	}
	matrix := document.Block{
		Heading: "Confusion matrix of " + named(best.Variant),
		Graphics: document.Graphics{
			Note:    "Row: expected. Column: predicted. Color: share of the row.",
			Drawing: best.matrixTable(),
		},
	}
	if len(best.expected) > maxSideLabels {
		return []page.Section{page.FullWidth(top), page.FullWidth(matrix)}
	}
	return []page.Section{{Columns: []page.Column{{Width: 7, Blocks: []document.Block{top}},
		{Width: 5, Blocks: []document.Block{matrix}}}}}
}

// maxSideLabels is the number of labels up to which a matrix fits on the side of the top confusions.
const maxSideLabels = 6

// hasLabelsView reports whether the suite of these results has a view of its labels.
func hasLabelsView(all []labelResults) bool {
	return slices.ContainsFunc(all,
		func(r labelResults) bool { return r.Confusion != nil && len(r.expected) > maxMatrixLabels })
}

// labelsView returns the view of the labels of a suite with more than maxMatrixLabels labels: ranked
// confusions, one matrix for all variants, groups, and the labels by recall. ok is false for other
// suites.
func (h htmlReport) labelsView(s eval.SuiteSummary) (v page.View, ok bool) {
	all := slices.DeleteFunc(h.labelResults(s), func(r labelResults) bool { return r.Confusion == nil })
	if !hasLabelsView(all) {
		return page.View{}, false
	}
	v = page.View{Address: labelsAddress(s), Title: s.Name + ": labels", Warning: randomErrorsNote(all)}
	_, scored := all[0].errors()
	variants := 0
	for _, r := range all {
		variants += 1 + len(r.same)
	}
	v.Facts = []string{
		plural(int64(len(all[0].expected)), "label"),
		plural(scored, all[0].noun()),
		plural(int64(variants), "variant"),
	}
	order := sortLabels(all)
	shown := all[:min(len(all), maxLabelVariants)]
	tabs := page.Section{}
	for i, r := range shown {
		tabs.Tabs = append(tabs.Tabs, page.Tab{
			Address:  page.SuiteLink(s.Name, "labels/"+r.Variant),
			Name:     r.Variant,
			Note:     finding.FormatShare(r.Metrics["route.accuracy"]),
			Sections: r.sections(h, otherResults(all, i), order),
		})
	}
	v.Sections = append(v.Sections, tabs, page.FullWidth(recallBlock(shown)))
	if rest := all[len(shown):]; len(rest) > 0 {
		var names []string
		for _, r := range rest {
			names = append(names, named(r.Variant))
		}
		v.Sections = append(v.Sections, page.FullWidth(document.Block{Notes: []document.Line{{Text: fmt.Sprintf(
			"%d of %s are shown. Not shown: %s.", len(shown), plural(int64(len(all)), "variant"),
			strings.Join(names, ", "))}}}))
	}
	return v, true
}

// randomErrorsNote names the variants whose wrong decisions are random. It returns "" if there are
// none.
func randomErrorsNote(all []labelResults) string {
	var names []string
	for _, r := range all {
		if r.randomErrors() > 0 {
			names = append(names, named(r.Variant))
		}
	}
	if len(names) == 0 {
		return ""
	}
	return "simulated, with random errors: " + strings.Join(names, ", ")
}

// sections returns what the view of labels shows of one variant.
func (r labelResults) sections(h htmlReport, others []labelResults, order labelOrder) []page.Section {
	most := maxPairs
	if len(r.expected) > manyLabels {
		most /= 2
	}
	shown := r.pairs[:min(len(r.pairs), most)]
	open := shown[:min(len(shown), openPairs)]
	axis := r.shareAxis(shown)
	top := document.Block{
		Graphics: document.Graphics{Headline: r.headline(order)},
	}
	list := []page.Section{page.FullWidth(top)}
	if len(shown) > 0 {
		top = document.Block{
			Heading:  "Top confusions",
			Table:    r.confusionTable(h, open, others, axis),
			Graphics: document.Graphics{Note: r.pairsNote(len(open), others)},
		}
		if rest := shown[len(open):]; len(rest) > 0 {
			folded := document.Block{Table: r.confusionTable(h, rest, others, axis)}
			name := plural(int64(len(rest)), "more confusion")
			if omitted := len(r.pairs) - len(shown); omitted > 0 {
				name += fmt.Sprintf(" (%s not listed)", thousands(int64(omitted)))
				folded.Notes = []document.Line{r.omittedNote(r.pairs[len(shown):])}
			}
			top.More = &document.Folded{Name: name, Blocks: []document.Block{folded}}
		}
		list = append(list, page.FullWidth(top))
	}
	matrix, notes := order.drawing(r)
	left, right := 9, 3
	if !order.hasNames() { // the table of groups lists the labels
		left, right = 7, 5
	}
	return append(list, page.Section{Columns: []page.Column{
		{Width: left, Blocks: []document.Block{{
			Heading: "Confusion matrix",
			Graphics: document.Graphics{
				Note: "Row: expected. Column: predicted. All variants have the same order: labels that are confused are" +
					" neighbors, and a frame marks each group.",
				Drawing: matrix,
			},
			Notes: notes,
		}}},
		{Width: right, Blocks: []document.Block{order.groupsBlock(r)}},
	}})
}

// omittedNote states how many confusions are not listed, and links to the cases of all.
func (r labelResults) omittedNote(pairs []eval.ConfusedPair) document.Line {
	n := int64(0)
	for _, p := range pairs {
		n += p.N
	}
	return document.Line{Parts: []document.Part{
		{Text: fmt.Sprintf("Not listed: %s with %s. ", plural(int64(len(pairs)), "less frequent pair"),
			plural(n, "wrong "+r.noun()))},
		{Text: "All wrong cases", Link: r.wrongCases()},
	}}
}

// wrongCases returns the address of the cases with a wrong decision.
func (r labelResults) wrongCases() string {
	return page.CasesLink{Suite: r.suite.Name, Variant: r.Variant, Result: page.Wrong}.String()
}

// headline states how many decisions are wrong, how many of these are within groups, and how many
// labels are recognized well.
func (r labelResults) headline(order labelOrder) []document.Part {
	wrong, scored := r.errors()
	all := plural(scored, r.noun())
	if wrong == 0 {
		return []document.Part{{Text: named(r.Variant), Tone: document.Strong},
			{Text: " is correct in all " + all + "."}}
	}
	inside, high := int64(0), 0
	for p, n := range r.wrong {
		if order.sameGroup(p) {
			inside += n
		}
	}
	for label := range r.expected {
		if r.recall(label) >= highRecall-1e-9 {
			high++
		}
	}
	return []document.Part{
		{Text: named(r.Variant), Tone: document.Strong},
		{Text: " is wrong in "},
		{Text: thousands(wrong) + " of " + all, Link: r.wrongCases()},
		{Text: fmt.Sprintf(". %.0f\u00a0%% of these are between labels of the same group."+
			" %d of %s have a recall of 95\u00a0%% or more.", 100*float64(inside)/float64(wrong), high,
			plural(int64(len(r.expected)), "label"))},
	}
}

// recallBlock returns the table of labels with recall, precision and F1 in each variant. Labels with
// the lowest recall in the first variant come first, labels without a scored decision last.
func recallBlock(all []labelResults) document.Block {
	best := all[0]
	labels := slices.SortedFunc(maps.Keys(best.expected), func(a, b string) int {
		f1 := func(label string) float64 {
			if v := best.Metrics["route.f1."+label].Value; isKnown(v) {
				return *v
			}
			return 0
		}
		return cmp.Or(cmp.Compare(best.recall(a), best.recall(b)), cmp.Compare(f1(a), f1(b)), cmp.Compare(a, b))
	})
	labels = append(labels, slices.Sorted(maps.Keys(best.unscoredLabels()))...)
	open := labels[:min(len(labels), openLabels)]
	b := document.Block{
		Heading: "Labels by recall",
		Table:   recallTable(all, open),
		Graphics: document.Graphics{
			ID: page.SuiteLink(best.suite.Name, "recall")[1:],
			Note: "Lowest recall of " + named(
				best.Variant) + " first. Stronger color: lower. Values from 0.95 have no color.",
		},
	}
	if rest := labels[len(open):]; len(rest) > 0 {
		b.More = &document.Folded{
			Name:   plural(int64(len(rest)), "more label"),
			Blocks: []document.Block{{Table: recallTable(all, rest)}},
		}
	}
	return b
}

// Widths of the columns of the table by recall, in pixels. All columns with values have the width of the
// widest head.
var heatColumns = []float64{64, 88, 112, 152}

const (
	heatPadding    = 16
	maxHeatColumns = 800 // width of all columns with values
)

func recallTable(all []labelResults, labels []string) document.Table {
	best := all[0]
	unscored := best.unscoredLabels()
	widest := 0.0
	for _, r := range all {
		widest = max(widest, longestWord(shortenMiddle(named(r.Variant), maxVariantText)))
	}
	size := 0
	for size < len(heatColumns)-1 && heatColumns[size]-heatPadding < widest {
		size++
	}
	detailed := len(all) <= maxDetailedVariants && float64(3*len(all))*heatColumns[size] <= maxHeatColumns
	t := document.Table{
		Keys:    1,
		Class:   fmt.Sprintf("heat v%d w%d", len(all), size+1),
		Columns: []document.Column{{Head: "label"}, {Head: "n", Right: true}},
	}
	type value struct {
		key     string
		results labelResults
	}
	var values []value
	for _, m := range []struct{ key, name string }{
		{"route.recall.", "recall"}, {"route.precision.", "precision"}, {"route.f1.", "F1"},
	} {
		of := all
		if m.key != "route.recall." && !detailed {
			of = all[:1]
		}
		for _, r := range of {
			values = append(values, value{m.key, r})
			t.Columns = append(t.Columns, document.Column{
				Head:  shortenMiddle(named(r.Variant), maxVariantText),
				Group: m.name,
				Right: true,
			})
		}
	}
	t.Columns = append(t.Columns, document.Column{Head: named(best.Variant) + ": most often predicted as"})
	for _, label := range labels {
		cells := []document.Cell{{Text: best.name(label)},
			{Text: thousands(best.expected[label]), Tone: document.Faint}}
		for _, v := range values {
			cells = append(cells, heatCell(v.results.Metrics[v.key+label].Value))
		}
		last := document.Cell{}
		if n := unscored[label]; n > 0 {
			link := best.casesLink(labelPair{expected: label})
			link.Result = page.Unscored
			last.Text, last.Link = thousands(n)+" "+finding.NotScored, link.String()
		} else if p, ok := best.topOf[label]; ok {
			last.Text = "→ " + best.name(p.Predicted)
			last.Tail = "(" + thousands(p.N) + ")"
			if len(best.expected) <= manyLabels {
				last.Link = best.casesLink(labelPair{p.Expected, p.Predicted}).String()
			}
		}
		t.AddRow(append(cells, last))
	}
	return t
}

// heatCell returns a cell with a value from 0 to 1. Lower values have a stronger color.
func heatCell(v *float64) document.Cell {
	if !isKnown(v) {
		return document.Cell{Text: noValue, Tone: document.Faint}
	}
	c := document.Cell{Text: fmt.Sprintf("%.2f", *v)}
	if *v < highRecall-1e-9 {
		c.Tint = 1 + min(max(int(math.Floor(10-*v*10-1e-9)), 0), 5)
	}
	return c
}
