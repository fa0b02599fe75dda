package reports

import (
	"slices"
	"strconv"
	"strings"

	"evalctl/eval"
	"evalctl/reports/document"
	"evalctl/reports/finding"
)

const overviewFindings = 3

// isOverview reports whether the terminal report starts with a table that has one row for each
// suite. It does so for several suites, unless one is a fault matrix. A fault matrix has its own
// table.
func isOverview(s eval.Summary) bool {
	return len(s.Suites) > 1 &&
		!slices.ContainsFunc(s.Suites, func(one eval.SuiteSummary) bool { return one.FaultMatrix })
}

// suitesBlocks returns the terminal report of a run with several suites: a row for each suite, the
// most important findings, the gates, and suggested commands.
func suitesBlocks(r Report, width int) []document.Block {
	rows := make([]suiteRow, len(r.Summary.Suites))
	for i, s := range r.Summary.Suites {
		rows[i] = overviewRow(s)
	}
	table := overviewTable(rows).Fit(width)[0]
	doc := []document.Block{
		{
			Lines: []document.Line{{Tone: document.Strong, Text: overviewTitle(r)}},
			Table: table,
		},
		{Lines: []document.Line{{Tone: document.Faint, Text: overviewLegend(table)}}},
		{Lines: sentenceLines(overviewSentences(r.Summary.Suites))},
	}
	if len(r.Summary.Gates) > 0 {
		doc = append(doc, gateBlocks(r, width)...)
	}
	end := document.Block{Lines: append([]document.Line{trialsLine(r)}, retried(r.Summary)...)}
	end.Lines = append(end.Lines, foot(Report{Summary: r.Summary}).Lines...)
	if r.Dir == "" {
		return append(doc, end)
	}
	return append(doc, end, document.Block{Next: []document.Suggestion{
		{Lead: "one suite     ", Words: runCommand("report", r.Dir, "--suite="+r.Summary.Suites[0].Name)},
		{Lead: "all tables    ", Words: runCommand("report", r.Dir, "-v")},
		{Lead: "in a browser  ", Words: runCommand("report", r.Dir, "--html=report.html")},
	}})
}

// runCommand returns an evalctl command for the run in directory dir. If dir starts with a dash,
// "--" precedes it, so that evalctl does not read it as a flag.
func runCommand(verb, dir string, flags ...string) []string {
	if strings.HasPrefix(dir, "-") {
		return slices.Concat([]string{"evalctl", verb}, flags, []string{"--", dir})
	}
	return slices.Concat([]string{"evalctl", verb, dir}, flags)
}

// overviewTitle returns the number of suites, cases and trials, and whether models or time are
// simulated.
func overviewTitle(r Report) string {
	var cases, trials int64
	simulated, real, clocks := false, false, map[string]bool{}
	for _, s := range r.Summary.Suites {
		cases += s.Cases
		trials += finding.CompletedTrials(s)
		clocks[s.Clock] = true
		for _, m := range s.Models {
			simulated = simulated || m.Kind == "simulated"
			real = real || m.Kind == "real"
		}
	}
	parts := []string{plural(int64(len(r.Summary.Suites)), "suite"), plural(cases, "case"), plural(trials, "trial")}
	if r.Seed != nil {
		parts = append(parts, "seed "+strconv.FormatUint(*r.Seed, 10))
	}
	switch {
	case simulated && !real && len(clocks) == 1 && clocks["simulated"]:
		parts = append(parts, "models and time are simulated")
	case simulated && !real:
		parts = append(parts, "models are simulated")
	case simulated:
		parts = append(parts, "some models are simulated")
	}
	return strings.Join(parts, " · ")
}

// suiteRow contains the results of one suite for the table of all suites.
type suiteRow struct {
	suite eval.SuiteSummary
	// variant with the highest accuracy without a fault, except baseline models; nil: no decision
	// was scored
	best *eval.ConditionSummary
	// number of other variants whose decisions are identical to those of the best variant
	equal int
	// differences of the best variant from the first variant and from the best baseline model; nil:
	// no such variant, or insufficient data
	vsFirst, vsBaselineModel   *eval.Difference
	isFirst, hasBaselineModels bool
	fault                      document.Cell
}

func overviewRow(s eval.SuiteSummary) suiteRow {
	row := suiteRow{suite: s, fault: worstFault(s)}
	ranked := finding.RankedByAccuracy(s)
	at := slices.IndexFunc(ranked, func(c eval.ConditionSummary) bool { return !c.BaselineModel })
	if at < 0 {
		return row
	}
	row.best = &ranked[at]
	for _, c := range ranked {
		if c.Variant == row.best.Variant {
			continue
		}
		d, ok := finding.Difference(s, row.best.Variant, c.Variant)
		ok = ok && d.State != eval.InsufficientData && isKnown(d.Accuracy.Value)
		switch {
		case c.BaselineModel:
			if row.hasBaselineModels = true; ok && row.vsBaselineModel == nil {
				row.vsBaselineModel = &d // only the best baseline model, because the list is sorted by accuracy
			}
		case ok && d.State == eval.Identical:
			row.equal++
		}
		if c.Variant == finding.BaselineVariant(s) && ok {
			row.vsFirst = &d
		}
	}
	row.isFirst = row.best.Variant == finding.BaselineVariant(s)
	return row
}

func overviewTable(rows []suiteRow) document.Table {
	each := func(show func(suiteRow) document.Cell) []document.Cell { return each(rows, show) }
	return document.Table{Keys: 1, Narrow: document.ShortenNames, Columns: []document.Column{
		{Head: "suite", Cells: each(
			func(r suiteRow) document.Cell {
				return document.Cell{Text: shortenMiddle(named(r.suite.Name), overviewName)}
			})},
		{Head: "n", Right: true, Rank: 3, Cells: each(func(r suiteRow) document.Cell {
			return document.Cell{Text: thousands(r.suite.Cases), Tail: ofAvailable(r.suite)}
		})},
		{Head: "best variant", Rank: 6, Cells: each(func(r suiteRow) document.Cell {
			if r.best == nil {
				return document.Cell{Text: noValue}
			}
			text := shortenMiddle(named(r.best.Variant), overviewName)
			if r.equal > 0 {
				text += " (+" + thousands(int64(r.equal)) + ")"
			}
			return document.Cell{Text: text}
		})},
		{Head: "accuracy", TailHead: "[95 %]", Right: true, Cells: each(func(r suiteRow) document.Cell {
			if r.best == nil {
				return document.Cell{Text: noValue}
			}
			return shareCell(r.best.Metrics["route.accuracy"])
		})},
		{Head: "vs 1st", Right: true, Rank: 5, Cells: each(func(r suiteRow) document.Cell {
			if r.isFirst {
				return document.Cell{Text: "first"}
			}
			return pointsCell(r.vsFirst)
		})},
		{Head: overviewBaseline, Right: true, Rank: 4,
			Cells: each(func(r suiteRow) document.Cell { return pointsCell(r.vsBaselineModel) })},
		{Head: overviewWorst, Rank: 2, Cells: each(func(r suiteRow) document.Cell { return r.fault })},
		{Head: "p95", Right: true, Rank: 1, Cells: each(func(r suiteRow) document.Cell {
			if r.best == nil {
				return document.Cell{Text: noValue}
			}
			return document.Cell{Text: quantile("p95", r.best.Metrics["latency.p95"])}
		})},
	}}
}

const (
	overviewName     = 16 // maximum width of the name of a suite or variant
	overviewFault    = 14
	overviewWorst    = "worst fault, %"
	overviewBaseline = "baseline"
)

// ofAvailable returns "of N" if a suite ran only some of its N cases, and otherwise "".
func ofAvailable(s eval.SuiteSummary) string {
	if s.Cases < s.AvailableCases {
		return "of " + thousands(s.AvailableCases)
	}
	return ""
}

// pointsCell formats a difference of accuracy in percentage points, marked with "~" if it is not
// significant.
func pointsCell(d *eval.Difference) document.Cell {
	switch {
	case d == nil:
		return document.Cell{Text: noValue}
	case d.State == eval.Identical:
		return document.Cell{Text: "="}
	}
	f := differenceCell(*d)
	f.Tail = ""
	return f
}

// worstFault formats the worst fault of a suite, with the share of the trials that it makes worse.
func worstFault(s eval.SuiteSummary) document.Cell {
	worst, ok := finding.WorstFault(s)
	switch {
	case !ok && len(finding.FaultEffects(s)) == 0:
		return document.Cell{Text: noValue}
	case !ok:
		return document.Cell{Text: "none"}
	}
	name := named(worst.FaultNames()[0])
	if _, kind, ok := strings.Cut(name, ":"); ok && columnsOf(name) > overviewFault {
		name = kind
	}
	share := strings.TrimSuffix(finding.FormatShare(worst.DegradedShare()), " %")
	return document.Cell{Text: shortenMiddle(name, overviewFault) + " " + share, Tone: document.Bad}
}

// overviewLegend explains the columns of the table of suites, but only those that the table has.
func overviewLegend(table document.Table) string {
	parts := []string{"n: cases"}
	for _, l := range []struct{ head, meaning string }{
		{"best variant", "(+1): another variant decides identically"},
		{"vs 1st", "vs 1st: points above the first variant"},
		{overviewBaseline, overviewBaseline + ": points above the best baseline model"},
		{overviewWorst, "worst fault: share of trials that it makes worse"},
	} {
		if table.Has(l.head) {
			parts = append(parts, l.meaning)
		}
	}
	return strings.Join(append(parts, "~ not significant"), " · ")
}

// overviewSentences returns the most important findings of all suites, warnings first. It prefers
// findings of different kinds.
func overviewSentences(suites []eval.SuiteSummary) []finding.Sentence {
	type candidate struct {
		kind  finding.Kind
		text  string
		names []string
		body  finding.Sentence
	}
	var all []candidate
	for _, s := range suites {
		for _, f := range finding.Findings(s) {
			at := slices.IndexFunc(all, func(c candidate) bool { return c.kind == f.Kind && c.text == f.String() })
			if at >= 0 {
				all[at].names = append(all[at].names, s.Name)
				continue
			}
			all = append(all, candidate{f.Kind, f.String(), []string{s.Name}, f})
		}
	}
	slices.SortStableFunc(all, func(a, b candidate) int { return finding.CompareKinds(a.kind, b.kind) })
	var first, others []finding.Sentence
	seen := map[finding.Kind]bool{}
	for _, c := range all {
		list := &first
		if seen[c.kind] {
			list = &others
		}
		seen[c.kind] = true
		*list = append(*list, c.body.WithSuites(c.names))
	}
	found := append(first, others...)
	return found[:min(len(found), overviewFindings)]
}
