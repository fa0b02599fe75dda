package datasets

import (
	"fmt"
	"iter"
	"maps"
	"slices"

	"evalctl/agent/system"
	"evalctl/eval"
	"evalctl/eval/suite"
)

// OpenForSuite opens the dataset of a suite. It also returns what targets with free labels and
// baseline models need from the dataset: labels, examples and the training set. seed is the seed of
// the suite's sample. fault validates the fault specifications in the under_fault field of cases.
func OpenForSuite(s suite.Suite, seed uint64, fault func(string) error) (*Dataset, suite.DatasetInfo, error) {
	schema, err := schemaOf(s, fault)
	if err != nil {
		return nil, suite.DatasetInfo{}, err
	}
	d, err := open(s.Dataset, schema, FilterForSuite(s, seed))
	if err != nil {
		return nil, suite.DatasetInfo{}, err
	}
	m, err := d.freeLabelData(s)
	if err == nil && len(s.BaselineModels()) > 0 {
		m.TrainingSet, err = d.trainingSet(s)
		if err == nil {
			err = d.countTraining(s, seed)
		}
	}
	if err != nil {
		return nil, suite.DatasetInfo{}, err
	}
	return d, m, nil
}

// freeLabelData returns the labels and examples for a target with free labels.
func (d *Dataset) freeLabelData(s suite.Suite) (suite.DatasetInfo, error) {
	if !s.System().Contract.HasDatasetLabels() {
		return suite.DatasetInfo{}, nil
	}
	names := d.Labels()
	if d.hasTools && d.schema.OffersTools {
		names = d.sharedLabels(s.OOSLabel)
	}
	if s.Labels.IsZero() && d.lacksTools && len(names) < 2 {
		return suite.DatasetInfo{},
			fmt.Errorf("dataset %s: has fewer than two labels: list all labels with --labels A,B,C", oneLine(d.Name))
	}
	labels, err := s.ResolveLabels(names, d.toolLabels())
	if err != nil {
		return suite.DatasetInfo{}, s.AddPosition(err)
	}
	slices.SortStableFunc(labels, func(a, b system.Label) int { // the out-of-scope label is last
		switch s.OOSLabel {
		case "":
			return 0
		case a.Name:
			return 1
		case b.Name:
			return -1
		}
		return 0
	})
	return suite.DatasetInfo{
		Labels:         labels,
		TurnsHaveTools: !d.lacksTools,
		Examples:       d.examples(s.System().Contract.LabelField),
	}, nil
}

// sharedLabels returns the labels that a model chooses from in a turn without tools of its own, with
// the out-of-scope label of the suite; "": there is none.
func (d *Dataset) sharedLabels(oosLabel string) []string {
	names := slices.Sorted(maps.Keys(d.shared))
	if oosLabel != "" && !slices.Contains(names, oosLabel) {
		names = append(names, oosLabel)
	}
	return names
}

// toolLabels returns the labels of turns with tools of their own, sorted; nil: there are none.
func (d *Dataset) toolLabels() []string {
	if !d.hasTools {
		return nil
	}
	return d.Labels()
}

// FilterForSuite returns a filter that selects the cases that a suite runs. seed is the seed of the
// suite's sample.
func FilterForSuite(s suite.Suite, seed uint64) Filter {
	f := Filter{
		Split:  s.Split,
		Tags:   s.Tags,
		Limit:  s.Limit,
		Sample: s.Sample,
		Seed:   seed,
	}
	if s.Cases == nil {
		return f
	}
	f.IDs = map[string]struct{}{}
	for _, id := range s.Cases {
		f.IDs[id] = struct{}{}
	}
	return f
}

// schemaOf returns the schema for the cases of a suite: that of its most permissive variant.
func schemaOf(s suite.Suite, fault func(string) error) (schema Schema, err error) {
	var labels []system.Label
	if !s.Labels.IsZero() {
		if labels, err = s.ResolveLabels(nil, nil); err != nil {
			return schema, s.AddPosition(err)
		}
	}
	for i, v := range s.Variants {
		one, err := SchemaFor(s.SystemOf(v), s.SettingValues(v), labels, fault)
		if err != nil {
			return schema, err
		}
		if i == 0 || one.KnownIDs == nil {
			schema = one
		}
	}
	offers := func(of system.System) bool { return !of.IsExternal() }
	schema.OffersTools, schema.OOSLabel = slices.ContainsFunc(s.Systems(), offers), s.OOSLabel
	schema.Columns = CSVColumns{Text: s.TextColumn, Label: s.LabelColumn, ID: s.IDColumn}
	return schema, nil
}

// examples returns the train split as examples for a target with free labels. It omits
// conversations, because a turn of a conversation depends on the others. It omits turns with tools
// of their own, because their labels are choices only there.
func (d *Dataset) examples(field string) iter.Seq2[system.LabeledExample, error] {
	return func(yield func(system.LabeledExample, error) bool) {
		for c, err := range d.Stream(Filter{Split: trainSplit}) {
			if err != nil {
				yield(system.LabeledExample{}, err)
				return
			}
			if e, ok := exampleOf(c, field); ok && !yield(e, nil) {
				return
			}
		}
	}
}

func exampleOf(c eval.Case, field string) (e system.LabeledExample, ok bool) {
	if len(c.Turns) != 1 || len(c.Turns[0].History) > 0 || c.Turns[0].Tools != nil {
		return e, false
	}
	want, err := c.Turns[0].Labels(field)
	return system.LabeledExample{Text: c.Turns[0].Text, Label: want.Primary()}, err == nil && want != nil
}
