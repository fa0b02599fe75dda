package page

import (
	"fmt"
	"html/template"
	"reflect"
	"slices"
	"strconv"

	"evalctl/eval"
	"evalctl/eval/metric"
	"evalctl/reports/finding"
)

// Heights in pixels of the bar that shows the attempts in one round of a Critic loop. The strip
// above the bar shows the attempts that the critic rejected in the round before.
const (
	roundHeight = 34
	stripHeight = 8
	footHeight  = 4 // below the bar
)

// criticFlow is the Critic loop of a group of variants with equal results. It has one row for each
// round.
type criticFlow struct {
	Title  string
	Rounds []histogramRow
}

// Critic renders how attempts go through the rounds of a Critic loop. Rejected attempts are on the
// left of a bar, above the bar of the next round. Variants with equal results are merged.
func Critic(s eval.SuiteSummary, flows *SuiteDistribution) template.HTML {
	looping := slices.DeleteFunc(faultFree(s), func(c eval.ConditionSummary) bool { return len(c.LoopRounds) == 0 })
	if len(looping) == 0 {
		return ""
	}
	of := func(c eval.ConditionSummary) []LoopRound { return flows.Variant(c.Variant).Loops }
	most := int64(0)
	for _, c := range looping {
		for _, f := range of(c) {
			most = max(most, f.Total())
		}
	}
	data := struct {
		Legend  template.HTML
		Loops   []criticFlow
		Ends    template.HTML
		Rounds  template.HTML
		Remarks []string
	}{Ends: loopTable(looping), Rounds: roundTable(looping), Remarks: criticRemarks(s, looping)}
	if most > 0 {
		data.Legend = flowLegend(looping, of)
		for _, g := range groups(looping,
			func(a, b eval.ConditionSummary) bool { return reflect.DeepEqual(of(a), of(b)) }) {
			data.Loops = append(data.Loops,
				criticFlow{Title: g.Title(), Rounds: flowRows(of(g.ConditionSummary), most)})
		}
	}
	return fragment("critic", data)
}

// flowParts returns the outcomes of the attempts in a round, in the order of the bar.
func flowParts(f LoopRound) []flowPart {
	return []flowPart{
		{f.SentBack.Bad, legendItem{Class: "sentbad", Text: "rejected, bad"}},
		{f.SentBack.Good, legendItem{Class: "sentgood", Text: "rejected, good"}},
		{f.SentBack.Unlabeled, legendItem{Class: "sentnone", Text: "rejected, no label", Line: true}},
		{f.Passed.Good, legendItem{Class: "found", Text: "passed, good"}},
		{f.Passed.Bad, legendItem{Class: "taken", Text: "passed, bad"}},
		{f.Passed.Unlabeled, legendItem{Class: "same", Text: "passed, no label"}},
		{f.Exhausted.Total(), legendItem{Class: "apology", Text: "exhausted"}},
	}
}

type flowPart struct {
	n    int64
	sign legendItem
}

func flowLegend(conditions []eval.ConditionSummary, of func(eval.ConditionSummary) []LoopRound) template.HTML {
	occurs := map[string]bool{}
	for _, c := range conditions {
		for _, f := range of(c) {
			for _, p := range flowParts(f) {
				occurs[p.sign.Class] = occurs[p.sign.Class] || p.n > 0
			}
		}
	}
	var signs []legendItem
	for _, p := range flowParts(LoopRound{}) {
		if occurs[p.sign.Class] {
			signs = append(signs, p.sign)
		}
	}
	return legend(signs...)
}

func flowRows(flows []LoopRound, most int64) (rows []histogramRow) {
	sentBack := int64(0)
	for i, f := range flows {
		rows = append(rows, histogramRow{
			Name:  fmt.Sprintf("loop %d", i+1),
			Link:  metric.FormatInteger(f.Total()),
			Plot:  flowPlot(f, sentBack, most),
			Value: flowText(f),
		})
		sentBack = f.SentBack.Total()
	}
	return rows
}

func flowPlot(f LoopRound, sentBack, most int64) template.HTML {
	p := plot{Height: roundHeight}
	stripOf := func(n int64, y, height float64) {
		if n > 0 {
			p.Marks = append(p.Marks, Mark{
				Shape:  rectShape,
				To:     100 * float64(n) / float64(most),
				Y:      y,
				Height: height,
				Class:  "strip",
			})
		}
	}
	stripOf(sentBack, 0, stripHeight)
	stripOf(f.SentBack.Total(), roundHeight-footHeight, footHeight)
	from := 0.0
	for _, part := range flowParts(f) {
		if part.n == 0 {
			continue
		}
		m := Mark{
			Shape:  rectShape,
			From:   from,
			To:     from + 100*float64(part.n)/float64(most),
			Y:      stripHeight,
			Height: roundHeight - stripHeight - footHeight,
			Class:  part.sign.Class,
		}
		if part.sign.Line {
			m.Shape, m.Y = lineShape, stripHeight+(roundHeight-stripHeight-footHeight)/2
		}
		p.Marks = append(p.Marks, m)
		from = m.To
	}
	return p.HTML()
}

// flowText describes how many attempts of a round passed and were rejected. In parentheses it adds
// the errors of the critic: bad attempts that passed, and good ones that were rejected.
func flowText(f LoopRound) template.HTML {
	var words []textPart
	add := func(n int64, what string, detail textPart) {
		if n == 0 {
			return
		}
		if len(words) > 0 {
			words = append(words, textPart{Text: ", "})
		}
		words = append(words, textPart{Text: metric.FormatInteger(n), Strong: true}, textPart{Text: " " + what}, detail)
	}
	some := func(n int64, what string, wrong bool) textPart {
		if n == 0 {
			return textPart{}
		}
		return textPart{Text: " (" + metric.FormatInteger(n) + " " + what + ")", Wrong: wrong, Mute: !wrong}
	}
	add(f.Passed.Total(), "passed", some(f.Passed.Bad, "bad", true))
	add(f.SentBack.Total(), "rejected", some(f.SentBack.Good, "good", false))
	add(f.Exhausted.Total(), "exhausted", textPart{})
	if f.CriticFailed > 0 {
		words = append(words, textPart{Text: ", " + metric.FormatInteger(f.CriticFailed) + " because the critic failed",
			Mute: true})
	}
	return renderText(words...)
}

// loopTable returns a table with the metrics of whole Critic loops, one row for each variant.
func loopTable(conditions []eval.ConditionSummary) template.HTML {
	t := table{AriaLabel: "Critic loops",
		Heads: []string{"variant", "first attempt good", "delivered good", "difference, points", "passed", "exhausted",
			"loops", "false accept",
			"false reject", "oscillating", "net gain"}}
	for _, c := range conditions {
		row := tableRow{Name: c.Variant}
		for _, name := range []string{"first_attempt_good", "delivered_good", "good_gain", "pass_rate",
			"exhausted_rate", "loops_mean", "false_accept",
			"false_reject", "oscillation_rate", "gain_per_loop"} {
			e := c.Metrics["critic."+name]
			words := shareText(e)
			switch name {
			case "loops_mean":
				words = estimateText(e, metric.FormatMean, "")
			case "good_gain":
				words = estimateText(e, metric.FormatPoints, "")
			case "gain_per_loop":
				words = estimateText(e, metric.FormatScore, "")
			case "false_accept", "false_reject":
				if words != nil && !finding.IsSmallSample(e) {
					words = append(words, textPart{Text: " of " + metric.FormatInteger(e.N), Mute: true})
				}
			}
			row.Cells = append(row.Cells, renderText(words...))
		}
		t.Rows = append(t.Rows, row)
	}
	return t.mergeEqualRows().HTML()
}

// roundTable returns a table with the metrics of each round of a Critic loop.
func roundTable(conditions []eval.ConditionSummary) template.HTML {
	t := table{AriaLabel: "Numbers of each loop",
		Heads: []string{"variant", "loop", "reached", "passed", "mean score", "raw change", "adds time", "adds USD",
			"calls", "tokens"}}
	for _, c := range conditions {
		for i, l := range c.LoopRounds {
			t.Rows = append(t.Rows, tableRow{Name: c.Variant, First: i == 0, Cells: []template.HTML{
				renderText(textPart{Text: strconv.Itoa(l.Round)}),
				renderText(textPart{Text: metric.FormatInteger(l.ReachedTurns)}), renderText(shareText(l.Passed)...),
				renderText(estimateText(l.Score, metric.FormatScore, "")...),
				renderText(estimateText(l.RawGain, metric.FormatScore, "")...),
				renderText(durationText(l.AddedMillis)...),
				renderText(estimateText(l.AddedCost, metric.FormatUSD, "")...),
				renderText(estimateText(l.AddedCalls, metric.FormatMean, "")...),
				renderText(estimateText(l.AddedTokens, metric.FormatRounded, "")...)}})
		}
	}
	return t.HTML()
}

// criticRemarks returns sentences that explain the limits of the critic metrics.
func criticRemarks(s eval.SuiteSummary, conditions []eval.ConditionSummary) (list []string) {
	raw := false
	var notShown []string
	for _, c := range conditions {
		unseen := int64(0)
		for _, l := range c.LoopRounds {
			unseen += l.LabeledImageNotShown
			raw = raw || l.Round > 1 && metric.IsKnown(l.RawGain.Value)
		}
		if unseen > 0 {
			notShown = append(notShown, ShortName(c.Variant)+" ("+metric.Plural(unseen, "attempt")+")")
		}
	}
	if len(notShown) > 0 {
		list = append(list, "Judgments not scored, as the critic does not see the labeled images: "+
			joinWords(notShown)+".")
	}
	if slices.ContainsFunc(conditions, finding.HasLabeledAttempts) {
		list = append(list, finding.DeliveredGoodNote)
	}
	if raw && !slices.ContainsFunc(s.Models, func(m eval.ModelInfo) bool { return m.Noiseless }) {
		list = append(list, finding.RawGainNote)
	}
	return list
}
