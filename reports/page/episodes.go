package page

import (
	"fmt"
	"html/template"
	"maps"
	"reflect"
	"slices"
	"strings"

	"evalctl/eval"
	"evalctl/eval/metric"
)

// Limits for the number of paths of each verdict, and of reasons for corrections, that a page
// shows.
const (
	maxPaths   = 6
	maxReasons = 20
)

// pathGroup contains the most frequent paths of a group of variants with equal paths. A path is the
// sequence of agents that acted in a turn.
type pathGroup struct {
	Title, Words string
	Wrong, Right []shownPath
	WrongLeft    string
	RightLeft    string
	TooMany      bool
}

// shownPath is a path with its frequency and example cases.
type shownPath struct {
	N        string
	Steps    []shownStep
	Cut      int64
	Expected string // labeled path, if this path is wrong; "": right or unscored
	Cases    []shownCase
	More     int64
}

// shownStep is a step of a path: the agent that acted.
type shownStep struct {
	Name        []string // name of the agent, split where a line may break
	Proposed    string   // agent that the decision proposed, if another one acted; "": the same agent
	CalledAgain bool     // no agent acted, and the supervisor decided again
	Differs     bool     // first step that differs from the labeled path
}

type shownCase struct{ ID, Link string }

// MultiDecisionTurns renders turns with several decisions: the number of steps, the corrections,
// and the most frequent wrong and right paths.
func MultiDecisionTurns(s eval.SuiteSummary, paths *SuiteDistribution) template.HTML {
	var conditions []eval.ConditionSummary
	for _, c := range faultFree(s) {
		if _, has := c.Metrics["supervisor.correction_rate"]; has || metric.IsKnown(c.Metrics[PathScore].Value) {
			conditions = append(conditions, c)
		}
	}
	if len(conditions) == 0 {
		return ""
	}
	data := struct {
		Figures, Reasons template.HTML
		Paths            []pathGroup
	}{Figures: episodeFigures(conditions), Reasons: reasons(conditions)}
	same := func(a, b eval.ConditionSummary) bool {
		return reflect.DeepEqual(paths.Variant(a.Variant).Paths, paths.Variant(b.Variant).Paths)
	}
	for _, g := range groups(conditions, same) {
		if of := &paths.Variant(g.Variant).Paths; of.Episodes > 0 {
			data.Paths = append(data.Paths, newPathGroup(s, g, of))
		}
	}
	return fragment("episodes", data)
}

func episodeFigures(conditions []eval.ConditionSummary) template.HTML {
	t := table{AriaLabel: "Episodes",
		Heads: []string{"variant", "path exact", "steps", "corrected", "called again", "exhausted",
			"correct backtrack"}}
	for _, c := range conditions {
		row := tableRow{Name: c.Variant}
		for _, name := range []string{PathScore, "supervisor.steps_mean", "supervisor.correction_rate",
			"supervisor.called_again_rate", "supervisor.exhausted_rate", "backtrack.accuracy"} {
			e := c.Metrics[name]
			words := shareText(e)
			if name == "supervisor.steps_mean" {
				words = estimateText(e, metric.FormatMean, "")
			}
			if metric.IsKnown(e.Value) {
				words = append(words, textPart{Text: " of " + metric.FormatInteger(e.N), Mute: true},
					missingPart(e, "not known"))
			}
			row.Cells = append(row.Cells, renderText(words...))
		}
		t.Rows = append(t.Rows, row)
	}
	return t.mergeEqualRows().HTML()
}

// reasons returns a table with one row for each reason for which a supervisor's decision was
// corrected or repeated.
func reasons(conditions []eval.ConditionSummary) template.HTML {
	t := table{AriaLabel: "Corrected decisions", Heads: []string{"correction"}}
	found := map[string]string{}
	for _, c := range conditions {
		t.Heads = append(t.Heads, ShortName(c.Variant))
		for name := range c.Metrics {
			for prefix, then := range map[string]string{"supervisor.correction_rate.": "corrected",
				"supervisor.called_again_rate.": "called again"} {
				if why, is := strings.CutPrefix(name, prefix); is {
					found[name] = then + ": " + why
				}
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(found)) {
		if len(t.Rows) == maxReasons {
			t.Left = fmt.Sprintf("%d of %d reasons.", maxReasons, len(found))
			break
		}
		row := tableRow{Name: found[name]}
		for _, c := range conditions {
			row.Cells = append(row.Cells, renderText(shareText(c.Metrics[name])...))
		}
		t.Rows = append(t.Rows, row)
	}
	if len(t.Rows) == 0 {
		return ""
	}
	return t.HTML()
}

func newPathGroup(s eval.SuiteSummary, g group, of *Paths) pathGroup {
	t := pathGroup{Title: g.Title(), Words: pathText(of)}
	show := func(v eval.Verdict) (list []shownPath, left string) {
		most, all, tooMany := of.MostFrequent(maxPaths, v)
		t.TooMany = tooMany
		for _, p := range most {
			list = append(list, newShownPath(s, g, p))
		}
		if all > len(list) {
			left = fmt.Sprintf("%d of %d different paths, most frequent first.", len(list), all)
		}
		return list, left
	}
	t.Wrong, t.WrongLeft = show(eval.Fail)
	t.Right, t.RightLeft = show(eval.Pass)
	if len(t.Wrong)+len(t.Right) == 0 { // no path has a label
		t.Right, t.RightLeft = show(eval.Unscored)
	}
	return t
}

func pathText(of *Paths) string {
	parts := []string{metric.Plural(of.Episodes, "turn")}
	if of.Right+of.Wrong > 0 {
		parts = append(parts, fmt.Sprintf("%s on the labeled path, %s not", metric.FormatInteger(of.Right),
			metric.FormatInteger(of.Wrong)))
	}
	if rest := of.Episodes - of.Right - of.Wrong; rest > 0 && rest < of.Episodes {
		parts = append(parts, metric.FormatInteger(rest)+" unscored")
	}
	parts = append(parts, metric.Plural(of.Corrected, "decision")+" corrected",
		metric.FormatInteger(of.CalledAgain)+" called again")
	return strings.Join(parts, " · ")
}

func newShownPath(s eval.SuiteSummary, g group, p Path) shownPath {
	shown := shownPath{
		N:        metric.FormatInteger(p.N),
		Cut:      int64(p.OmittedSteps),
		Expected: prose(p.Expected),
		More:     p.N - int64(len(p.Cases)),
	}
	wanted, at, off := strings.Split(p.Expected, arrow), 0, false
	for _, one := range p.Steps {
		step := shownStep{Name: splitName(one.Executed), Proposed: one.Proposed, CalledAgain: one.Executed == ""}
		if !step.CalledAgain {
			step.Differs = p.Verdict == eval.Fail && !off &&
				(at >= len(wanted) || !slices.Contains(strings.Split(wanted[at], " | "), one.Executed))
			off = off || step.Differs
			at++
		}
		shown.Steps = append(shown.Steps, step)
	}
	for _, id := range p.Cases {
		shown.Cases = append(shown.Cases,
			shownCase{ID: id, Link: CaseLink{List: CasesLink{Suite: s.Name, Variant: g.Variant},
				ID: id}.String()})
	}
	return shown
}

// arrow separates the steps in the text of a labeled path.
const arrow = " → "
