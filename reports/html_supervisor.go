package reports

import (
	"fmt"
	"slices"
	"strings"

	"evalctl/eval"
	"evalctl/eval/metric"
	"evalctl/reports/document"
	"evalctl/reports/page"
)

// maxPaths is the number of the most frequent paths of each verdict that a page shows.
const maxPaths = 6

// supervisorBlocks returns the paths of turns with several decisions, the metrics of the supervisor,
// and the reasons of its corrections.
func supervisorBlocks(s eval.SuiteSummary, of *page.SuiteDistribution) (blocks []document.Block) {
	conditions := slices.DeleteFunc(rankedConditions(s), func(c eval.ConditionSummary) bool {
		_, has := c.Metrics["supervisor.correction_rate"]
		return !has && !isKnown(c.Metrics[page.PathScore].Value)
	})
	if len(conditions) == 0 {
		return nil
	}
	keys := slices.DeleteFunc(measuredKeys(conditions), func(k metric.ResolvedKey) bool {
		return k.Group != metric.SupervisorGroup || k.Member != ""
	})
	head := groupTable(s, conditions, keys)
	head.Level, head.Heading, head.Table.Class = 2, "Paths of the supervisor", "stack"
	head.Graphics = document.Graphics{ID: sectionID(s, "episodes"),
		Note: "A path is the sequence of agents that acted in a turn."}
	blocks = append(blocks, head)
	shown := map[string]bool{}
	for _, c := range conditions {
		paths := &of.Variant(c.Variant).Paths
		if paths.Episodes == 0 {
			continue
		}
		b := pathTable(s, c, paths)
		if key := fmt.Sprint(b.Table); !shown[key] { // variants with the same paths share a table
			shown[key] = true
			blocks = append(blocks, b)
		}
	}
	return append(blocks, corrections(conditions)...)
}

func pathTable(s eval.SuiteSummary, c eval.ConditionSummary, paths *page.Paths) document.Block {
	b := document.Block{Level: 3, Heading: named(c.Variant), Lines: []document.Line{{Text: pathCounts(paths)}}}
	g := document.Table{Class: "paths", Columns: []document.Column{{Head: "turns", Right: true}, {Head: "path"},
		{Head: "expected"}, {Head: "cases"}}}
	verdicts := []eval.Verdict{eval.Fail, eval.Pass}
	if paths.Right+paths.Wrong == 0 {
		verdicts = []eval.Verdict{eval.Unscored}
	}
	for _, v := range verdicts {
		most, all, tooMany := paths.MostFrequent(maxPaths, v)
		for _, p := range most {
			g.AddRow(pathRow(s, c, p))
		}
		if tooMany {
			b.Notes = append(b.Notes, document.Line{Text: "There are too many different paths to list them."})
			break
		}
		if all > len(most) {
			b.Notes = append(b.Notes, document.Line{Text: fmt.Sprintf(
				"%d of %d different %s paths, most frequent first.",
				len(most), all, pathWord(v))})
		}
	}
	b.Table = g
	return b
}

func pathWord(v eval.Verdict) string {
	switch v {
	case eval.Pass:
		return "correct"
	case eval.Fail:
		return "wrong"
	}
	return "unscored"
}

func pathCounts(p *page.Paths) string {
	parts := []string{plural(p.Episodes, "turn")}
	if p.Right+p.Wrong > 0 {
		parts = append(parts, fmt.Sprintf("%s on the labeled path, %s not", thousands(p.Right), thousands(p.Wrong)))
	}
	if rest := p.Episodes - p.Right - p.Wrong; rest > 0 && rest < p.Episodes {
		parts = append(parts, thousands(rest)+" unscored")
	}
	return strings.Join(parts, " · ")
}

// pathRow returns the row of a path. The first step that differs from the expected path is marked.
func pathRow(s eval.SuiteSummary, c eval.ConditionSummary, p page.Path) []document.Cell {
	const arrow = " → "
	expected, at, differs := strings.Split(p.Expected, arrow), 0, false
	sign := "✓ "
	switch p.Verdict {
	case eval.Fail:
		sign = "✗ "
	case eval.Unscored:
		sign = ""
	}
	steps := document.Cell{Parts: []document.Part{{Text: sign}}}
	for i, step := range p.Steps {
		one := document.Part{Text: named(step.Executed)}
		if i > 0 {
			steps.Parts = append(steps.Parts, document.Part{Text: arrow, Tone: document.Faint})
		}
		if step.Executed == "" {
			one = document.Part{Text: "called again", Tone: document.Warn}
		} else {
			wrong := p.Verdict == eval.Fail && !differs &&
				(at >= len(expected) || !slices.Contains(strings.Split(expected[at], " | "), step.Executed))
			if wrong {
				one.Tone, differs = document.Bad, true
			}
			at++
		}
		steps.Parts = append(steps.Parts, one)
		if step.Proposed != "" {
			steps.Parts = append(steps.Parts, document.Part{Text: " (proposed " + named(step.Proposed) + ")",
				Tone: document.Faint})
		}
	}
	if p.OmittedSteps > 0 {
		steps.Parts = append(steps.Parts, document.Part{Text: arrow + plural(int64(p.OmittedSteps), "more step")})
	}
	var cases document.Cell
	for i, id := range p.Cases {
		if i > 0 {
			cases.Parts = append(cases.Parts, document.Part{Text: ", "})
		}
		link := page.CaseLink{List: page.CasesLink{Suite: s.Name, Variant: c.Variant}, ID: id}
		cases.Parts = append(cases.Parts, document.Part{Text: id, Link: link.String()})
	}
	if more := p.N - int64(len(p.Cases)); more > 0 {
		cases.Parts = append(cases.Parts, document.Part{Text: " and " + thousands(more) + " more",
			Tone: document.Faint})
	}
	return []document.Cell{{Text: thousands(p.N)}, steps, {Text: p.Expected, Tone: document.Faint}, cases}
}
