package reports

import (
	"cmp"
	"errors"
	"maps"
	"slices"
	"strings"

	"evalctl/eval"
	"evalctl/eval/stats"
	"evalctl/reports/finding"
)

// errNoTrials is told where a view is made of trials, and only figures are at hand.
var errNoTrials = errors.New("requires the results of the run, which are not available")

// judgments counts a case's trials in a cell.
type judgments struct{ right, judged, lost int64 }

// cellKey is a variant of a suite without a fault.
type cellKey struct{ suite, variant string }

// tagTallies are counts of the cases of each tag.
type tagTallies map[cellKey]map[string]map[string]*judgments // by tag, then by case

// tagPanels say how often each variant is right in the cases of each tag, those of most
// cases first.
func tagPanels(r Report, prefix string) ([]panel, error) {
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
	var list []panel
	for _, s := range r.Summary.Suites {
		for _, c := range finding.FaultFree(s) {
			list = append(list, tagPanel(s.Name, c.Name, prefix, found[cellKey{s.Name, c.Name}]))
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
		t.lost++
	case eval.Pass:
		t.right++
		t.judged++
	default:
		t.judged++
	}
}

// tagsOf are a trial's tags that begin with a prefix and a colon, "": all of them. A trial
// without a tag of its language has the detected one.
func tagsOf(res eval.Result, prefix string) []string {
	if prefix == "" {
		return res.Tags
	}
	tags := slices.DeleteFunc(slices.Clone(res.Tags), func(tag string) bool { return !strings.HasPrefix(tag, prefix+":") })
	if prefix == "lang" && len(tags) == 0 {
		return []string{cmp.Or(res.Language, eval.Other)}
	}
	return tags
}

func tagPanel(suite, variant, prefix string, tags map[string]map[string]*judgments) panel {
	head := "tag"
	isTag := func(name string) bool { return strings.HasPrefix(name, "lang:") }
	switch {
	case prefix == "lang" && slices.ContainsFunc(slices.Collect(maps.Keys(tags)), isTag):
		head = "language"
	case prefix == "lang":
		head = "language (detected)"
	}
	p := panel{suite: suite, variant: variant, shown: mostTags, noun: "tag", columns: []panelColumn{
		{name: "tag", head: head}, {name: "accuracy", head: "accuracy [95 %]", estimate: true, right: true},
		{name: "cases", head: "cases", right: true}, {name: "trials", head: "trials", right: true}, {name: "unscored", head: "unscored", right: true}}}
	if len(tags) == 0 {
		p.lines = []line{{text: "No scored case has such a tag."}}
	}
	names := slices.SortedFunc(maps.Keys(tags), func(a, b string) int {
		return cmp.Or(cmp.Compare(len(tags[b]), len(tags[a])), cmp.Compare(a, b))
	})
	for _, tag := range names {
		var share stats.Proportion
		var lost int64
		for _, t := range tags[tag] {
			share.Add(t.right, t.judged)
			lost += t.lost
		}
		e := accuracyOfCases(&share, lost)
		row := []cellValue{nameDatum(tag), shareDatum(e), countDatum(int64(len(tags[tag]))), countDatum(e.N + lost), someDatum(lost)}
		if e.N+lost == int64(len(tags[tag])) {
			row[3].text = "" // one each
		}
		p.rows = append(p.rows, row)
	}
	return p
}

// mostTags are shown unless all are asked for.
const mostTags = 25

// accuracyOfCases is the share of right trials, of which a case's are one cluster.
func accuracyOfCases(share *stats.Proportion, lost int64) eval.Estimate {
	e := eval.Estimate{N: share.N(), Missing: lost}
	if share.Cases() < share.N() {
		e.Cases = share.Cases()
	}
	if v, ok := share.Value(); ok {
		e.Value = &v
	}
	if lo, hi, ok := share.Interval(stats.Level); ok {
		e.Lo, e.Hi = &lo, &hi
	}
	return e
}
