package reports

import (
	"cmp"
	"errors"
	"maps"
	"slices"
	"strings"

	"evalctl/eval"
	"evalctl/eval/stats"
	"evalctl/reports/document"
	"evalctl/reports/finding"
)

// errNoTrials is returned by views that show single trials if only the summary of the run is
// available.
var errNoTrials = errors.New("requires the results of the run, which are not available")

// judgments counts the trials of a case in a condition by their verdict.
type judgments struct{ right, scored, unscored int64 }

// cellKey identifies a variant of a suite, for trials without a fault.
type cellKey struct{ suite, variant string }

// tagTallies counts right, wrong and unscored trials for each variant, tag and case.
type tagTallies map[cellKey]map[string]map[string]*judgments // keys: variant, then tag, then case

// tagPanels returns a table for each variant, with the accuracy for each tag, most cases first.
func tagPanels(r Report, prefix string) ([]document.Block, error) {
	if r.Run == nil {
		return nil, errNoTrials
	}
	found := tagTallies{}
	for res, err := range r.Run.Results() {
		if err != nil {
			return nil, err
		}
		if cmp.Or(res.Fault, eval.NoFault) == eval.NoFault {
			found.add(res, prefix)
		}
	}
	var list []document.Block
	for _, s := range r.Summary.Suites {
		for _, c := range finding.ConditionsWithoutFault(s) {
			list = append(list, tagPanel(s.Name, c.Variant, prefix, found[cellKey{s.Name, c.Variant}]))
		}
	}
	return list, nil
}

func (found tagTallies) add(res eval.Result, prefix string) {
	decision, ok := res.Decision()
	if !ok {
		return
	}
	key := cellKey{res.Suite, res.Variant}
	if found[key] == nil {
		found[key] = map[string]map[string]*judgments{}
	}
	for _, tag := range tagsOf(res, prefix) {
		cases := found[key][tag]
		if cases == nil {
			cases = map[string]*judgments{}
			found[key][tag] = cases
		}
		if cases[res.Case] == nil {
			cases[res.Case] = &judgments{}
		}
		cases[res.Case].count(decision.Verdict)
	}
}

func (t *judgments) count(v eval.Verdict) {
	switch v {
	case eval.Unscored:
		t.unscored++
	case eval.Pass:
		t.right++
		t.scored++
	default:
		t.scored++
	}
}

// tagsOf returns the tags of a trial that start with the prefix and a colon. For prefix "" it
// returns all tags. For prefix "lang", a trial without a language tag gets the detected language.
func tagsOf(res eval.Result, prefix string) []string {
	if prefix == "" {
		return res.Tags
	}
	tags := slices.DeleteFunc(slices.Clone(res.Tags),
		func(tag string) bool { return !strings.HasPrefix(tag, prefix+":") })
	if prefix == "lang" && len(tags) == 0 {
		return []string{cmp.Or(res.Language, eval.OtherLanguage)}
	}
	return tags
}

func tagPanel(suite, variant, prefix string, tags map[string]map[string]*judgments) document.Block {
	head := "tag"
	isTag := func(name string) bool { return strings.HasPrefix(name, "lang:") }
	switch {
	case prefix == "lang" && slices.ContainsFunc(slices.Collect(maps.Keys(tags)), isTag):
		head = "language"
	case prefix == "lang":
		head = "language (detected)"
	}
	p := document.Block{
		Suite:       suite,
		Variant:     variant,
		VisibleRows: maxTags,
		Noun:        "tag",
		Table: document.Table{Keys: 1, Columns: []document.Column{
			{Key: "tag", Head: head}, {Key: "accuracy", Head: "accuracy [95 %]", Estimate: true, Right: true},
			{Key: "cases", Head: "cases", Right: true}, {Key: "trials", Head: "trials", Right: true},
			{Key: "unscored", Head: "unscored", Right: true}}},
	}
	if len(tags) == 0 {
		p.Lines = []document.Line{{Text: "No scored case has such a tag."}}
	}
	names := slices.SortedFunc(maps.Keys(tags), func(a, b string) int {
		return cmp.Or(cmp.Compare(len(tags[b]), len(tags[a])), cmp.Compare(a, b))
	})
	for _, tag := range names {
		var share stats.Proportion
		var unscored int64
		for _, t := range tags[tag] {
			share.Add(t.right, t.scored)
			unscored += t.unscored
		}
		e := accuracyOfCases(&share, unscored)
		row := []document.Cell{nameValue(tag), shareValue(e), countValue(int64(len(tags[tag]))), countValue(e.N + unscored),
			nonzeroValue(unscored)}
		if e.N+unscored == int64(len(tags[tag])) {
			row[3].Text = "" // omit the number of trials, because each case has one trial
		}
		p.Table.AddRow(row)
	}
	return p
}

const maxTags = 25

// accuracyOfCases returns the share of right trials. The trials of a case form one cluster, because
// they are not independent.
func accuracyOfCases(share *stats.Proportion, unscored int64) eval.Estimate {
	e := eval.Estimate{N: share.N(), Missing: unscored}
	if share.Cases() < share.N() {
		e.Cases = share.Cases()
	}
	if v, ok := share.Value(); ok {
		e.Value = &v
	}
	if lo, hi, ok := share.Interval(stats.ConfidenceLevel); ok {
		e.Lo, e.Hi = &lo, &hi
	}
	return e
}
