package figure

import (
	"fmt"
	"html/template"
	"maps"
	"reflect"
	"slices"
	"strings"

	"evalctl/eval"
	"evalctl/eval/number"
	"evalctl/reports/page/address"
	"evalctl/reports/page/spread"
)

// How many paths a page shows of each kind.
const (
	mostPaths   = 6
	mostReasons = 20
)

// taken are the paths of variants that went the same ways.
type taken struct {
	Title, Words string
	Wrong, Right []shownPath
	WrongLeft    string
	RightLeft    string
	Over         bool
}

// shownPath is a path as agents joined by arrows.
type shownPath struct {
	N      string
	Steps  []shownStep
	Cut    int64
	Wanted string // "": it is right, or nobody knows
	Cases  []shownCase
	More   int64
}

// shownStep is what was done.
type shownStep struct {
	Name  []string // in syllables
	Asked string   // in whose place; "": it is what was asked for
	Again bool     // nothing was done, and it was asked again
	Off   bool     // the first that is not as wanted
}

type shownCase struct{ ID, Link string }

// Episodes shows turns in which it is decided again and again: how long they are, how
// often that is corrected, and the most frequent of their wrong and right paths.
func Episodes(s eval.SuiteSummary, paths *spread.SuiteDistribution) template.HTML {
	var cells []eval.ConditionSummary
	for _, c := range sound(s) {
		if _, has := c.Metrics["supervisor.correction_rate"]; has || number.IsKnown(c.Metrics[spread.PathScore].Value) {
			cells = append(cells, c)
		}
	}
	if len(cells) == 0 {
		return ""
	}
	data := struct {
		Figures, Reasons template.HTML
		Paths            []taken
	}{Figures: episodeFigures(cells), Reasons: reasons(cells)}
	same := func(a, b eval.ConditionSummary) bool {
		return reflect.DeepEqual(paths.Of(a.Name).Paths, paths.Of(b.Name).Paths)
	}
	for _, g := range groups(cells, same) {
		if of := &paths.Of(g.Name).Paths; of.Episodes > 0 {
			data.Paths = append(data.Paths, newTaken(s, g, of))
		}
	}
	return fragment("episodes", data)
}

func episodeFigures(cells []eval.ConditionSummary) template.HTML {
	t := table{Spoken: "Episodes", Heads: []string{"variant", "path exact", "steps", "corrected", "called again", "exhausted", "correct backtrack"}}
	for _, c := range cells {
		row := tableRow{Name: c.Name}
		for _, name := range []string{spread.PathScore, "supervisor.steps_mean", "supervisor.correction_rate", "supervisor.called_again_rate", "supervisor.exhausted_rate", "backtrack.accuracy"} {
			e := c.Metrics[name]
			words := shared(e)
			if name == "supervisor.steps_mean" {
				words = estimated(e, number.Mean, "")
			}
			if number.IsKnown(e.Value) {
				words = append(words, word{Text: " of " + number.Thousands(e.N), Mute: true}, lost(e, "not known"))
			}
			row.Cells = append(row.Cells, said(words...))
		}
		t.Rows = append(t.Rows, row)
	}
	return t.joined().HTML()
}

// reasons has a row for each reason for which decisions were not followed.
func reasons(cells []eval.ConditionSummary) template.HTML {
	t := table{Spoken: "Corrected decisions", Heads: []string{"correction"}}
	found := map[string]string{}
	for _, c := range cells {
		t.Heads = append(t.Heads, Name(c.Name))
		for name := range c.Metrics {
			for prefix, then := range map[string]string{"supervisor.correction_rate.": "corrected", "supervisor.called_again_rate.": "called again"} {
				if why, is := strings.CutPrefix(name, prefix); is {
					found[name] = then + ": " + why
				}
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(found)) {
		if len(t.Rows) == mostReasons {
			t.Left = fmt.Sprintf("%d of %d reasons.", mostReasons, len(found))
			break
		}
		row := tableRow{Name: found[name]}
		for _, c := range cells {
			row.Cells = append(row.Cells, said(shared(c.Metrics[name])...))
		}
		t.Rows = append(t.Rows, row)
	}
	if len(t.Rows) == 0 {
		return ""
	}
	return t.HTML()
}

func newTaken(s eval.SuiteSummary, g group, of *spread.Paths) taken {
	t := taken{Title: g.Title(), Words: pathWords(of)}
	show := func(v eval.Verdict) (list []shownPath, left string) {
		most, all, over := of.Most(mostPaths, v)
		t.Over = over
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
	if len(t.Wrong)+len(t.Right) == 0 { // none has a label
		t.Right, t.RightLeft = show(eval.Unscored)
	}
	return t
}

func pathWords(of *spread.Paths) string {
	parts := []string{number.Plural(of.Episodes, "turn")}
	if of.Right+of.Wrong > 0 {
		parts = append(parts, fmt.Sprintf("%s on the labeled path, %s not", number.Thousands(of.Right), number.Thousands(of.Wrong)))
	}
	if rest := of.Episodes - of.Right - of.Wrong; rest > 0 && rest < of.Episodes {
		parts = append(parts, number.Thousands(rest)+" unscored")
	}
	parts = append(parts, number.Plural(of.Corrected, "decision")+" corrected", number.Thousands(of.CalledAgain)+" called again")
	return strings.Join(parts, " · ")
}

func newShownPath(s eval.SuiteSummary, g group, p spread.Path) shownPath {
	shown := shownPath{N: number.Thousands(p.N), Cut: int64(p.Cut), Wanted: prose(p.Wanted), More: p.N - int64(len(p.Cases))}
	wanted, at, off := strings.Split(p.Wanted, arrow), 0, false
	for _, one := range p.Steps {
		step := shownStep{Name: syllables(one.Taken), Asked: one.Asked, Again: one.Taken == ""}
		if !step.Again {
			step.Off = p.Verdict == eval.Fail && !off && (at >= len(wanted) || !slices.Contains(strings.Split(wanted[at], " | "), one.Taken))
			off = off || step.Off
			at++
		}
		shown.Steps = append(shown.Steps, step)
	}
	for _, id := range p.Cases {
		shown.Cases = append(shown.Cases, shownCase{ID: id, Link: address.CaseLink{Of: address.CasesLink{Suite: s.Name, Variant: g.Name}, ID: id}.String()})
	}
	return shown
}

// arrow joins the steps of a labelled path.
const arrow = " → "
