package figure

import (
	"fmt"
	"html/template"
	"reflect"
	"slices"
	"strconv"

	"evalctl/eval"
	"evalctl/eval/number"
	"evalctl/reports/finding"
	"evalctl/reports/page/spread"
)

// How a round's bar is drawn, in pixels: above it, what was sent back to it.
const (
	roundHeight = 34
	strip       = 8
	foot        = 4 // below it
)

// loop is the critic of variants that sends back the same.
type loop struct {
	Title  string
	Rounds []timed
}

// Critic shows how attempts flow through the rounds of a critic: what it sends back stands
// on the left, and the next round's bar beneath it. Variants with equal flows share one.
func Critic(s eval.SuiteSummary, flows *spread.SuiteDistribution) template.HTML {
	looping := slices.DeleteFunc(sound(s), func(c eval.ConditionSummary) bool { return len(c.Loops) == 0 })
	if len(looping) == 0 {
		return ""
	}
	of := func(c eval.ConditionSummary) []spread.Flow { return flows.Of(c.Name).Loops }
	most := int64(0)
	for _, c := range looping {
		for _, f := range of(c) {
			most = max(most, f.All())
		}
	}
	data := struct {
		Legend  template.HTML
		Loops   []loop
		Ends    template.HTML
		Rounds  template.HTML
		Remarks []string
	}{Ends: ends(looping), Rounds: rounds(looping), Remarks: criticRemarks(s, looping)}
	if most > 0 {
		data.Legend = flowLegend(looping, of)
		for _, g := range groups(looping, func(a, b eval.ConditionSummary) bool { return reflect.DeepEqual(of(a), of(b)) }) {
			data.Loops = append(data.Loops, loop{Title: g.Title(), Rounds: flowRows(of(g.ConditionSummary), most)})
		}
	}
	return fragment("critic", data)
}

// flowParts are what became of a round's attempts, in the order of a bar.
func flowParts(f spread.Flow) []flowPart {
	return []flowPart{
		{f.SentBack.Bad, sign{Class: "sentbad", Text: "rejected, bad"}}, {f.SentBack.Good, sign{Class: "sentgood", Text: "rejected, good"}},
		{f.SentBack.Unlabeled, sign{Class: "sentnone", Text: "rejected, no label", Line: true}},
		{f.Passed.Good, sign{Class: "found", Text: "passed, good"}}, {f.Passed.Bad, sign{Class: "taken", Text: "passed, bad"}},
		{f.Passed.Unlabeled, sign{Class: "same", Text: "passed, no label"}}, {f.Exhausted.All(), sign{Class: "apology", Text: "exhausted"}},
	}
}

type flowPart struct {
	n    int64
	sign sign
}

// flowLegend has the parts that there are in some bar.
func flowLegend(cells []eval.ConditionSummary, of func(eval.ConditionSummary) []spread.Flow) template.HTML {
	occurs := map[string]bool{}
	for _, c := range cells {
		for _, f := range of(c) {
			for _, p := range flowParts(f) {
				occurs[p.sign.Class] = occurs[p.sign.Class] || p.n > 0
			}
		}
	}
	var signs []sign
	for _, p := range flowParts(spread.Flow{}) {
		if occurs[p.sign.Class] {
			signs = append(signs, p.sign)
		}
	}
	return legend(signs...)
}

func flowRows(flows []spread.Flow, most int64) (rows []timed) {
	sent := int64(0)
	for i, f := range flows {
		rows = append(rows, timed{Name: fmt.Sprintf("loop %d", i+1), Link: number.Thousands(f.All()), Plot: flowPlot(f, sent, most), Value: flowWords(f)})
		sent = f.SentBack.All()
	}
	return rows
}

func flowPlot(f spread.Flow, sent, most int64) template.HTML {
	p := plot{Height: roundHeight}
	stripOf := func(n int64, y, height float64) {
		if n > 0 {
			p.Marks = append(p.Marks, Mark{Shape: Rect, To: 100 * float64(n) / float64(most), Y: y, Height: height, Class: "strip"})
		}
	}
	stripOf(sent, 0, strip)
	stripOf(f.SentBack.All(), roundHeight-foot, foot)
	from := 0.0
	for _, part := range flowParts(f) {
		if part.n == 0 {
			continue
		}
		m := Mark{Shape: Rect, From: from, To: from + 100*float64(part.n)/float64(most), Y: strip, Height: roundHeight - strip - foot, Class: part.sign.Class}
		if part.sign.Line {
			m.Shape, m.Y = Line, strip+(roundHeight-strip-foot)/2
		}
		p.Marks = append(p.Marks, m)
		from = m.To
	}
	return p.HTML()
}

// flowWords says what became of a round's attempts, and which of it a user would not have
// wanted: a bad one passed, a good one sent back.
func flowWords(f spread.Flow) template.HTML {
	var words []word
	add := func(n int64, what string, aside word) {
		if n == 0 {
			return
		}
		if len(words) > 0 {
			words = append(words, word{Text: ", "})
		}
		words = append(words, word{Text: number.Thousands(n), Strong: true}, word{Text: " " + what}, aside)
	}
	some := func(n int64, what string, wrong bool) word {
		if n == 0 {
			return word{}
		}
		return word{Text: " (" + number.Thousands(n) + " " + what + ")", Wrong: wrong, Mute: !wrong}
	}
	add(f.Passed.All(), "passed", some(f.Passed.Bad, "bad", true))
	add(f.SentBack.All(), "rejected", some(f.SentBack.Good, "good", false))
	add(f.Exhausted.All(), "exhausted", word{})
	if f.CriticFailed > 0 {
		words = append(words, word{Text: ", " + number.Thousands(f.CriticFailed) + " because the critic failed", Mute: true})
	}
	return said(words...)
}

// ends are the figures of whole loops.
func ends(cells []eval.ConditionSummary) template.HTML {
	t := table{Spoken: "Critic loops", Heads: []string{"variant", "first attempt good", "delivered good", "difference, points", "passed", "exhausted", "loops", "false accept",
		"false reject", "oscillating", "net gain"}}
	for _, c := range cells {
		row := tableRow{Name: c.Name}
		for _, name := range []string{"first_attempt_good", "delivered_good", "good_gain", "pass_rate", "exhausted_rate", "loops_mean", "false_accept",
			"false_reject", "oscillation_rate", "gain_per_loop"} {
			e := c.Metrics["critic."+name]
			words := shared(e)
			switch name {
			case "loops_mean":
				words = estimated(e, number.Mean, "")
			case "good_gain":
				words = estimated(e, number.Points, "")
			case "gain_per_loop":
				words = estimated(e, number.Score, "")
			case "false_accept", "false_reject":
				if words != nil && !finding.IsSmallSample(e) {
					words = append(words, word{Text: " of " + number.Thousands(e.N), Mute: true})
				}
			}
			row.Cells = append(row.Cells, said(words...))
		}
		t.Rows = append(t.Rows, row)
	}
	return t.joined().HTML()
}

// rounds are the figures of each loop.
func rounds(cells []eval.ConditionSummary) template.HTML {
	t := table{Spoken: "Numbers of each loop", Heads: []string{"variant", "loop", "reached", "passed", "mean score", "raw change", "adds time", "adds USD", "calls", "tokens"}}
	for _, c := range cells {
		for i, l := range c.Loops {
			t.Rows = append(t.Rows, tableRow{Name: c.Name, First: i == 0, Cells: []template.HTML{
				said(word{Text: strconv.Itoa(l.Loop)}), said(word{Text: number.Thousands(l.Reached)}), said(shared(l.Passed)...),
				said(estimated(l.Score, number.Score, "")...), said(estimated(l.RawGain, number.Score, "")...), said(duration(l.AddedMillis)...),
				said(estimated(l.AddedCost, number.USD, "")...), said(estimated(l.AddedCalls, number.Mean, "")...), said(estimated(l.AddedTokens, number.Round, "")...)}})
		}
	}
	return t.HTML()
}

// criticRemarks say what the figures are not.
func criticRemarks(s eval.SuiteSummary, cells []eval.ConditionSummary) (list []string) {
	raw := false
	var blind []string
	for _, c := range cells {
		unseen := int64(0)
		for _, l := range c.Loops {
			unseen += l.LabelNotShown
			raw = raw || l.Loop > 1 && number.IsKnown(l.RawGain.Value)
		}
		if unseen > 0 {
			blind = append(blind, Name(c.Name)+" ("+number.Plural(unseen, "attempt")+")")
		}
	}
	if len(blind) > 0 {
		list = append(list, "Judgments not scored, as the critic does not see the labeled images: "+inWords(blind)+".")
	}
	if slices.ContainsFunc(cells, finding.HasLabels) {
		list = append(list, finding.Deciding)
	}
	if raw && !slices.ContainsFunc(s.Models, func(m eval.ModelNote) bool { return m.Noiseless }) {
		list = append(list, finding.Regression)
	}
	return list
}
