package datasets

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"evalctl/eval"
)

// Description is a summary of a dataset for display: its counts and some example cases.
type Description struct {
	Name, Hash                      string      // name or path, and hash of the files
	Cases                           int64       // number of cases
	Labels, Languages, Splits, Tags []Count     // counts by value, most frequent first
	Examples                        []eval.Case // example cases in file order
}

// Count is the number of cases with a label, language, split or tag. An empty Name counts the cases
// without one.
type Count struct {
	Name string // label, language, split or tag
	N    int64  // number of cases
}

// Describe returns the counts of the dataset, most frequent values first, and this number of
// example cases (sample). The examples are spread over the whole dataset and are the same at every
// call.
func (d *Dataset) Describe(sample int) (Description, error) {
	shown, err := d.sampleByHash(sample)
	return Description{
		Name:      d.Name,
		Hash:      d.Hash,
		Cases:     d.Cases,
		Labels:    ranked(d.LabelCounts),
		Languages: ranked(d.Languages),
		Splits:    ranked(d.Splits),
		Tags:      ranked(d.Tags),
		Examples:  shown,
	}, err
}

func ranked(counts map[string]int64) []Count {
	all := make([]Count, 0, len(counts))
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		all = append(all, Count{name, counts[name]})
	}
	slices.SortStableFunc(all, func(a, b Count) int { return cmp.Compare(b.N, a.N) })
	return all
}

// language returns the language of a case from its tags: zh, en, mixed, or X for lang:X. It returns
// "" if no tag is a language.
func language(tags []string) string {
	for _, t := range tags {
		if slices.Contains([]string{"zh", "en", "mixed"}, t) {
			return t
		}
		if l, ok := strings.CutPrefix(t, "lang:"); ok {
			return l
		}
	}
	return ""
}

// sampleByHash returns the n cases with the smallest hashes. This is a sample that needs no seed.
func (d *Dataset) sampleByHash(n int) ([]eval.Case, error) {
	type drawn struct {
		eval.Case
		nth int
	}
	var kept []drawn
	nth := 0
	for c, err := range d.Stream(Filter{}) {
		if err != nil {
			return nil, err
		}
		nth++
		at, _ := slices.BinarySearchFunc(kept, c.LineHash,
			func(k drawn, hash string) int { return cmp.Compare(k.LineHash, hash) })
		if at < n {
			kept = slices.Insert(kept, at, drawn{c, nth})
			kept = kept[:min(len(kept), n)]
		}
	}
	slices.SortFunc(kept, func(a, b drawn) int { return cmp.Compare(a.nth, b.nth) })
	cases := make([]eval.Case, len(kept))
	for i, k := range kept {
		cases[i] = k.Case
	}
	return cases, nil
}
