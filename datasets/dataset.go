// Package datasets reads and validates labeled cases, and contains the datasets that are built into
// evalctl. Every invalid line is an error with file and line number. Cases are streamed from the
// file. Only opening a dataset needs memory for each case: a hash of its ID.
package datasets

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
	"strings"

	"evalctl/agent/file"
	"evalctl/eval"
	"evalctl/eval/suggest"
	"evalctl/eval/suite"
)

// Dataset is a validated set of cases, stored in one or more JSON Lines files or in a CSV file.
type Dataset struct {
	Name                string // name or path that the dataset was opened with
	Cases               int64  // number of cases in all splits
	MatchingCases       int64  // cases that match the split, tags and IDs of the suite
	SelectedCases       int64  // cases of Matching that remain after the limit or sample of the suite
	CasesNeedingHistory int64  // cases of Matching that have the tag eval.NeedsHistoryTag
	// cases of Selected that are in the train split; 0 if the suite has no baseline model
	TrainingCases int64
	Hash          string              // hash of the bytes of all files; "" if reading was stopped
	LabelCounts   map[string]int64    // number of cases by label: the primary label of the last labeled turn
	Languages     map[string]int64    // number of cases by language; "": no language tag
	Splits        map[string]int64    // number of cases by split; "": no split
	Tags          map[string]int64    // number of cases by tag
	labels        map[string]struct{} // all labels that some case accepts
	shared        map[string]struct{} // labels that some turn accepts and that are not among its own tools
	maxLabels     int                 // maximum number of shared labels
	hasTools      bool                // some turn has tools of its own
	lacksTools    bool                // some turn has none, so the agent chooses from the shared labels
	files         []source
	schema        Schema
	picked        Filter
	shipped       bool
	// cases of a built-in dataset, which is small and does not change; nil: the files are read each
	// time
	decoded []labeled
}

// Labels returns all labels that at least one case accepts, sorted.
func (d *Dataset) Labels() []string { return slices.Sorted(maps.Keys(d.labels)) }

// Open reads and validates a dataset: a built-in one by its name, or a file by its path. The error
// describes the first invalid line and contains the number of further ones.
func Open(nameOrPath string, schema Schema) (*Dataset, error) {
	return open(nameOrPath, schema, Filter{})
}

// open is like Open. It also counts the cases that the filter selects.
func open(nameOrPath string, schema Schema, picked Filter) (*Dataset, error) {
	d, problems, err := check(nameOrPath, schema, picked)
	if err != nil {
		return nil, err
	}
	switch more := len(problems) - 1; {
	case more < 0:
		return d, nil
	case more == 0:
		return nil, problems[0]
	case len(problems) == maxProblems:
		return nil, fmt.Errorf("%w (and at least %d more: evalctl dataset check)", problems[0], more)
	default:
		return nil, fmt.Errorf("%w (and %d more: evalctl dataset check)", problems[0], more)
	}
}

// maxProblems limits the result of Check, because in a file of another format all lines fail.
const maxProblems = 100

// Check reads a dataset and returns a problem for each invalid line, at most maxProblems. It does
// not count invalid lines as cases. The last result is an error if the dataset cannot be read at
// all.
func Check(nameOrPath string, schema Schema) (*Dataset, []error, error) {
	return check(nameOrPath, schema, Filter{})
}

func check(nameOrPath string, schema Schema, picked Filter) (*Dataset, []error, error) {
	files, err := locate(nameOrPath)
	if err != nil {
		return nil, nil, err
	}
	if schema.Columns != (CSVColumns{}) && !IsTableFile(nameOrPath) {
		return nil, nil, fmt.Errorf(
			"dataset %s: is no CSV file (.csv or .tsv), so it has no columns for text, label and id",
			oneLine(nameOrPath))
	}
	d := &Dataset{
		Name:        nameOrPath,
		LabelCounts: map[string]int64{},
		Languages:   map[string]int64{},
		Splits:      map[string]int64{},
		Tags:        map[string]int64{},
		labels:      map[string]struct{}{},
		shared:      map[string]struct{}{},
		maxLabels:   schema.maxLabels(),
		files:       files,
		schema:      schema,
		picked:      picked,
		shipped:     slices.Contains(BuiltInNames(), nameOrPath),
	}
	problems, err := d.validate()
	if err != nil {
		return nil, problems, err
	}
	d.SelectedCases = picked.count(d.MatchingCases)
	switch {
	case len(d.labels) > suite.MaxAgentLabels:
		problems = append(problems,
			fmt.Errorf("%s: has more than %d labels", oneLine(nameOrPath), suite.MaxAgentLabels))
	case len(d.shared) > d.maxLabels && d.hasTools:
		problems = append(problems, fmt.Errorf("%s: has more than %d labels that are not tools of their case",
			oneLine(nameOrPath), d.maxLabels))
	case len(d.shared) > d.maxLabels:
		problems = append(problems, fmt.Errorf("%s: has more than %d labels", oneLine(nameOrPath), d.maxLabels))
	}
	if len(problems) == 0 && d.Cases == 0 {
		problems = append(problems, fmt.Errorf("%s: contains no case", oneLine(nameOrPath)))
	}
	return d, problems, nil
}

// locate returns the files of a dataset: a built-in one by its name, or a file by its path.
func locate(nameOrPath string) ([]source, error) {
	if slices.Contains(BuiltInNames(), nameOrPath) {
		names, err := fs.Glob(embedded, path.Join(nameOrPath, "*.jsonl"))
		files := make([]source, len(names))
		for i, name := range names {
			files[i] = source{name: name, open: embedded.Open}
		}
		return files, err
	}
	info, err := os.Stat(nameOrPath)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		err = fmt.Errorf("dataset %s: %w, and there is no shipped dataset of this name (shipped: %s)",
			oneLine(nameOrPath), fs.ErrNotExist, strings.Join(BuiltInNames(), ", "))
		if near, ok := suggest.Closest(nameOrPath, BuiltInNames()); ok {
			err = fmt.Errorf("%w, did you mean %q?", err, near)
		}
		return nil, err
	case err != nil:
		return nil, fmt.Errorf("dataset %s: %w", oneLine(nameOrPath), file.UnwrapPathError(err))
	case info.IsDir():
		return nil, fmt.Errorf("dataset %s: is a directory, not a file", oneLine(nameOrPath))
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("dataset %s: is a pipe or a device, and a set is read twice: save it to a file",
			oneLine(nameOrPath))
	}
	return []source{{name: nameOrPath, open: func(name string) (fs.File, error) { return file.Open(name) }}}, nil
}

// validate reads all files, counts the valid cases and returns the problems of the others.
func (d *Dataset) validate() ([]error, error) {
	var problems []error
	var decoded []labeled
	met := newIDs()
	hash, err := d.each(func(c labeled, err error) bool {
		if err == nil && met.add(c.ID) {
			err = fmt.Errorf("%s: id: %s is used before", c.Pos, quoted(c.ID))
		}
		if err != nil {
			problems = append(problems, err)
			return len(problems) < maxProblems
		}
		d.count(c)
		if d.shipped {
			decoded = append(decoded, c)
		}
		return true
	})
	d.Hash, d.decoded = hash, decoded
	return problems, err
}

func (d *Dataset) count(c labeled) {
	d.Cases++
	if d.picked.picks(c.Case) {
		d.MatchingCases++
		if slices.Contains(c.Tags, eval.NeedsHistoryTag) {
			d.CasesNeedingHistory++
		}
	}
	d.Splits[c.Split]++
	// a dataset with more labels is rejected later
	if len(d.labels) <= suite.MaxAgentLabels && len(d.shared) <= d.maxLabels {
		d.LabelCounts[c.label]++
		for _, l := range c.all {
			d.labels[l] = struct{}{}
		}
		for _, l := range c.shared {
			d.shared[l] = struct{}{}
		}
	}
	for _, t := range c.Turns {
		d.hasTools = d.hasTools || t.Tools != nil
		d.lacksTools = d.lacksTools || t.Tools == nil
	}
	tally(d.Languages, language(c.Tags))
	for _, t := range c.Tags {
		tally(d.Tags, t)
	}
}

// maxTallied and maxShort limit the tags that are counted separately: how many they are, and how
// long each may be. A dataset may have a tag for each case, or long texts as tags. All further tags
// are counted as OtherTagsKey.
const (
	maxTallied = 10_000
	maxShort   = 200 // bytes of a tag
)

// OtherTagsKey is the key in Dataset.Tags for all tags that are not counted separately.
const OtherTagsKey = "…"

func tally(counts map[string]int64, name string) {
	if _, known := counts[name]; !known && (len(counts) >= maxTallied || len(name) > maxShort) {
		name = OtherTagsKey
	}
	counts[name]++
}

// Target returns the name of the system that the cases are for.
func (d *Dataset) Target() string { return d.schema.Target }
