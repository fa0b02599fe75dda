package reports_test

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/eval"
	"evalctl/reports"
	"evalctl/reports/document"
)

var _ = DescribeTable("a screen has the document in its golden file, and is readable at every width and in every format",
	func(name string, screen func() layout, targets []document.Target) {
		layOut := screen()
		expectScreen(name, layOut, targets...)
		expectRenderable(layOut)
	},
	Entry("a run, in short: significant differences", "report-tools", shortReport(tools), terminals(100, 60, 140)),
	Entry("a run, in short: Critic loops and many faults", "report-profiles", shortReport(profiles),
		terminals(100, 60)),
	Entry("a run, in short: no significant difference", "report-even",
		shortReport(func() reports.Report { return equalVariants(3) }), terminals(100, 60)),
	Entry("a run, in short: many variants", "report-many",
		shortReport(func() reports.Report { return equalVariants(12) }), terminals(100, 60)),
	Entry("a run, in short: one variant", "report-lonely", shortReport(singleVariant), terminals(100, 60)),
	Entry("a run, in short: many labels", "report-labels", shortReport(labels150), terminals(100, 60)),
	Entry("a run, in short: several epochs", "report-epochs", shortReport(epochs), terminals(100, 60)),
	Entry("a run, in short: a partial run", "report-cut", shortReport(splitAtWidth), terminals(100, 60)),
	Entry("a run, in short: unscored trials and failed gates", "report-lost", shortReport(unscoredReport),
		terminals(100, 60)),
	Entry("a run, in short: no decisions", "report-undecided", shortReport(reportWithoutDecisions), terminals(100, 60)),

	Entry("a run with all tables", "report-full", fullReport(full), screenAndPage()),
	Entry("a run with all tables: hostile names and missing values", "report-troubled", fullReport(hostileReport),
		screenAndPage()),
	Entry("a run with all tables: Critic loops", "report-studio", fullReport(studio), screenAndPage()),
	Entry("a run with all tables: a supervisor", "report-supervisor",
		fullReport(func() reports.Report { return reports.Report{Summary: steps()} }), screenAndPage()),

	Entry("the confidence view", "confidence",
		func() layout { return documentOf(reports.ConfidenceDocument, confidenceReport()) }, everywhere()),
	Entry("a comparison of two runs", "comparison",
		func() layout { return documentOf(reports.ComparisonDocument, comparison(0, before(), after())) },
		screenAndPage()),
	Entry("a comparison of three runs", "comparison-ranking", func() layout {
		third := runWithCases("runs/third", "llm", 0.002, func(i int) bool { return i%10 != 2 })
		return documentOf(reports.ComparisonDocument, comparison(0, before(), after(), third))
	}, terminals(100)),
	Entry("a learning curve", "curve-learning",
		func() layout { return documentOf(reports.CurveDocument, learningCurve()) }, everywhere()),
	Entry("two curves of a simulated model", "curve-simulated",
		func() layout { return documentOf(reports.CurveDocument, simulatedCurves()) }, terminals(100)),
	Entry("the power of three comparisons", "power-three",
		func() layout { return documentOf(reports.PowerDocument, answerTable()) }, screenAndPage()),
	Entry("the power of one comparison with a margin", "power-one",
		func() layout { return documentOf(reports.PowerDocument, one(20)) }, screenAndPage()),
	Entry("the power for assumed discordances", "power-assumed",
		func() layout { return documentOf(reports.PowerDocument, assumed()) }, terminals(100)),
	Entry("the tuning of a threshold", "tuning", func() layout {
		return documentOf(reports.TuningDocument, reports.TuningReport{Setting: "threshold",
			Variants: []reports.TunedVariant{tunedVariant(0.8, false)}})
	}, screenAndPage()),
	Entry("the list of runs", "history-list",
		func() layout { return documentOf(reports.RunListDocument, listed(0)) }, screenAndPage()),
	Entry("the trend of a metric", "history-trend",
		func() layout { return documentOf(reports.TrendDocument, trendReport(0)) }, everywhere()),
	Entry("the history of a case", "history-since",
		func() layout { return documentOf(reports.CaseHistoryDocument, caseHistoryReport(0)) }, screenAndPage()),

	Entry("a trial with retries and errors", "trial", trialScreen(trial), terminals(100, 40)),
	Entry("a trial with a Critic loop", "trial-studio", trialScreen(repaintedTurn), terminals(100, 50)),
	Entry("a trial with several decisions in a turn", "trial-episode", trialScreen(episode), terminals(100, 60)),
	Entry("a trial of an agent with several nodes", "trial-survey", trialScreen(nodesTrial), terminals(100)),
)

// reportWithTrials returns a report with Critic loops and faults, and with the metrics and results of
// trials in two of its variants.
func reportWithTrials() reports.Report {
	var trials []eval.Result
	for i := range 12 {
		for _, variant := range []string{"v2", "v2-llm"} {
			got := "chat"
			if i == 3 || i == 7 && variant == "v2" {
				got = "search"
			}
			r := trialResult(variant, fmt.Sprintf("c%02d", i), 1, "chat", got, "all", fmt.Sprintf("lang:%d", i%2))
			r.Suite = "studio"
			durations := []eval.Millis{eval.Millis(310 * ms), eval.Millis(290 * ms)}
			r.Nodes = []eval.NodeVisit{{Node: "router", Turn: 1, Calls: 2, CallDurations: durations}}
			trials = append(trials, r)
		}
	}
	r, scored := profiles(), reportOn(trials...)
	for _, from := range scored.Summary.Suites[0].Conditions {
		for i := range r.Summary.Suites[0].Conditions {
			to := &r.Summary.Suites[0].Conditions[i]
			if to.Variant == from.Variant && to.Fault == eval.NoFault {
				to.Confusion = from.Confusion
				maps.Copy(to.Metrics, from.Metrics)
			}
		}
	}
	r.Run = scored.Run
	return r
}

var _ = It("each view of a report has the document in its golden file, and can be rendered in every format", func() {
	r := reportWithTrials()
	for _, r.View = range reports.Views() {
		if r.View == reports.ByConfidence {
			continue // has a document of its own, see above
		}
		layOut := func(document.Target) document.Document {
			d, err := reports.ViewDocument(r)
			Expect(err).NotTo(HaveOccurred())
			return d
		}
		expectScreen("view-"+string(r.View), layOut, document.PageTarget)
		expectRenderable(layOut)
	}
})

// expectRenderable checks what holds for every screen: no line of a text is wider than the terminal,
// ASCII texts contain no symbols, and no format contains unescaped texts.
func expectRenderable(layOut layout) {
	GinkgoHelper()
	for _, width := range []int{40, 60, 80, 100, 140, 200} {
		d := layOut(terminals(width)[0])
		text, err := document.Text(d, document.Options{Width: width})
		Expect(err).NotTo(HaveOccurred())
		if width >= 60 || !slices.ContainsFunc(d.Blocks, needsWidth) {
			expectWithin(width, string(text))
		}
		text, err = document.Text(d, document.Options{Width: width, ASCII: true})
		Expect(err).NotTo(HaveOccurred())
		Expect(string(text)).NotTo(MatchRegexp(symbols))
	}
	for _, format := range reports.TableFormats() {
		text, err := reports.RenderDocument(format, layOut(document.PageTarget), document.Options{})
		if !errors.Is(err, document.ErrNoRows) {
			Expect(err).NotTo(HaveOccurred())
			Expect(unsafeText(format, codeInMarkdown.ReplaceAllString(string(text), ""))).To(BeEmpty(), "%s", format)
		}
	}
}

// symbols matches a character that is neither ASCII nor Chinese, nor the symbol of a control
// character.
const symbols = `[^\x00-\x7f\p{Han}\x{2400}-\x{243f}\x{3000}-\x{303f}\x{ff00}-\x{ffef}\x{fffd}]`

// needsWidth reports whether 40 columns are not enough for a table, because it wraps only its last
// column and the others are wide.
func needsWidth(b document.Block) bool {
	widths := b.Table.NaturalWidths()
	return b.Table.Narrow == document.WrapLast && document.TotalWidth(widths[:max(0, len(widths)-1)]) > 40-document.Gap
}

// codeInMarkdown matches the commands and the fences of plots in Markdown.
var codeInMarkdown = regexp.MustCompile("(?m) `[^`\n]+`$|^```.*$")

func shortReport(report func() reports.Report) func() layout {
	return func() layout { return documentOf(reports.ReportDocument, report()) }
}

// fullReport returns the report with all tables on terminals, and as usual on pages.
func fullReport(report func() reports.Report) func() layout {
	return func() layout {
		return func(to document.Target) document.Document {
			r := report()
			r.ShowAll = to.Terminal
			return reports.ReportDocument(r, to)
		}
	}
}

func trialScreen(trial func() eval.Result) func() layout {
	return func() layout {
		return func(to document.Target) document.Document {
			return document.Document{Blocks: reports.TrialBlocks(reports.TrialReport{Trial: trial()}, to.Width)}
		}
	}
}

// screenAndPage returns the targets of a screen that does not depend on the width.
func screenAndPage() []document.Target { return append(terminals(100), document.PageTarget) }
