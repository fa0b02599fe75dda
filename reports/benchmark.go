package reports

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"

	"evalctl/agent/file"
	"evalctl/eval"
	"evalctl/reports/finding"
)

// Limits of a benchmark table.
const (
	maxBenchmarkRuns = 50
	maxCitedFile     = 1 << 20
	maxCited         = 200
)

// BenchmarkTable compares systems on several datasets: one row for each system, one column for each
// dataset. Its cells are accuracies without faults.
type BenchmarkTable struct {
	Datasets []string       `json:"datasets"`
	Systems  []SystemScores `json:"systems"`
	Notes    []string       `json:"notes,omitempty"` // runs that do not cover a whole dataset

	Options
}

// SystemScores is the row of a system.
type SystemScores struct {
	Name   string                   `json:"name"`
	Source string                   `json:"source,omitempty"` // publication that the values are cited from; "": measured
	Scores map[string]eval.Estimate `json:"scores"`           // by dataset
}

// CitedScore is a published result, as a row of the file of --cited.
type CitedScore struct {
	System   string   `yaml:"system"`
	Dataset  string   `yaml:"dataset"`  // heading of a column
	Accuracy *float64 `yaml:"accuracy"` // percent
	Source   string   `yaml:"source"`   // publication, such as "Larson et al. 2019, table 2"
}

// ReadCited reads a YAML list of published results.
func ReadCited(path string) ([]CitedScore, error) {
	text, err := file.Read(path, maxCitedFile)
	if err != nil {
		return nil, err
	}
	var list []CitedScore
	if err := yaml.UnmarshalWithOptions(text, &list, yaml.Strict()); err != nil {
		return nil, fmt.Errorf("%s: %s", path, yaml.FormatError(err, false, false))
	}
	if len(list) > maxCited {
		return nil, fmt.Errorf("%s: has %d entries, at most %d are allowed", path, len(list), maxCited)
	}
	for i, c := range list {
		switch {
		case c.System == "" || c.Dataset == "" || c.Source == "" || c.Accuracy == nil:
			return nil, fmt.Errorf("%s: entry %d: requires system, dataset, accuracy and source", path, i+1)
		case !(*c.Accuracy >= 0 && *c.Accuracy <= 100):
			return nil, fmt.Errorf("%s: entry %d: accuracy %v is not between 0 and 100 percent", path, i+1, *c.Accuracy)
		}
	}
	return list, nil
}

// BenchmarkRun is a run of a benchmark table.
type BenchmarkRun struct {
	Dir           string
	Summary       eval.Summary
	DatasetHashes []string // hash of the dataset of each suite
}

// benchmarkColumn is a dataset of a benchmark table.
type benchmarkColumn struct{ heading, hash string }

// NewBenchmarkTable arranges the variants of runs and cited results by system and dataset. If two
// runs have the same variant on the same dataset, the later one gets its own row, with the directory
// of its run. If two datasets with different cases have the same name, the later one gets its own
// column.
func NewBenchmarkTable(runs []BenchmarkRun, cited []CitedScore) (BenchmarkTable, error) {
	var t BenchmarkTable
	if len(runs) > maxBenchmarkRuns {
		return t, fmt.Errorf("%d runs are more than %d", len(runs), maxBenchmarkRuns)
	}
	var columns []benchmarkColumn
	for _, r := range runs {
		for i, s := range r.Summary.Suites {
			dataset := t.column(&columns, benchmarkColumn{datasetName(s), r.DatasetHashes[i]}, r.Dir)
			t.addNotes(r, s, dataset)
			for _, c := range finding.ConditionsWithoutFault(s) {
				row := t.row(c.Variant, "")
				if _, taken := row.Scores[dataset]; taken {
					row = t.row(c.Variant+" of "+r.Dir, "")
				}
				row.Scores[dataset] = c.Metrics["route.accuracy"]
			}
		}
	}
	if len(t.Systems) == 0 {
		return t, errors.New("the runs have no variant without a fault")
	}
	for _, c := range cited {
		if !slices.Contains(t.Datasets, c.Dataset) {
			return t, fmt.Errorf("the cited dataset %q is not a column; the columns are: %s", c.Dataset,
				strings.Join(t.Datasets, ", "))
		}
		row := t.row(c.System, c.Source)
		if _, taken := row.Scores[c.Dataset]; taken {
			return t, fmt.Errorf("%q of %q is cited twice for the dataset %q", c.System, c.Source, c.Dataset)
		}
		row.Scores[c.Dataset] = eval.Estimate{Value: new(*c.Accuracy / 100)}
	}
	return t, nil
}

// column returns the heading of a dataset's column, which it adds if it is missing.
func (t *BenchmarkTable) column(columns *[]benchmarkColumn, c benchmarkColumn, dir string) string {
	i := slices.Index(*columns, c)
	if i < 0 {
		i = len(*columns)
		*columns = append(*columns, c)
		heading := c.heading
		if slices.Contains(t.Datasets, heading) {
			heading += " of " + dir
		}
		t.Datasets = append(t.Datasets, heading)
	}
	return t.Datasets[i]
}

// addNotes notes if the run of a suite does not cover the whole dataset, or covers cases that its
// baseline models were trained on.
func (t *BenchmarkTable) addNotes(r BenchmarkRun, s eval.SuiteSummary, dataset string) {
	in := r.Dir + ", " + dataset + ": "
	if s.Cases < s.AvailableCases || s.FailedInRun != "" {
		t.Notes = append(t.Notes, in+finding.CaseSelection(s)+".")
	}
	if r.Summary.Partial {
		t.Notes = append(t.Notes, in+finding.IncompleteNote(r.Summary, "the row")+".")
	}
	if s.TrainingCases > 0 {
		t.Notes = append(t.Notes, fmt.Sprintf("%s%s of %s are in the train split, where baseline models are cross-validated.",
			in, thousands(s.TrainingCases), plural(s.Cases, "case")))
	}
}

// datasetName returns the heading of a suite's column: its dataset and split.
func datasetName(s eval.SuiteSummary) string {
	name := s.Dataset
	if i := strings.LastIndexAny(name, `/\`); i >= 0 {
		name = name[i+1:]
	}
	if s.Split != "" {
		name += " (" + s.Split + ")"
	}
	return name
}

// row returns the row of a system, which it adds if it is missing.
func (t *BenchmarkTable) row(name, source string) *SystemScores {
	i := slices.IndexFunc(t.Systems, func(s SystemScores) bool { return s.Name == name && s.Source == source })
	if i < 0 {
		i = len(t.Systems)
		t.Systems = append(t.Systems, SystemScores{Name: name, Source: source, Scores: map[string]eval.Estimate{}})
	}
	return &t.Systems[i]
}

// Write renders the table in the given format.
func (t BenchmarkTable) Write(w io.Writer, format Format) error {
	return writeDocument(w, format, "benchmark table", t.Options, t.document)
}

func (t BenchmarkTable) document(target) document {
	b := block{level: 2, heading: "Accuracy by system and dataset", lines: []line{{text: "Intervals: 95 %. n: scored cases."}}}
	b.grid = grid{keys: 1, columns: []column{{head: "system"}}}
	for _, d := range t.Datasets {
		b.grid.columns = append(b.grid.columns, column{head: d, right: true})
	}
	var sources []string
	for _, s := range t.Systems {
		name := named(s.Name)
		if s.Source != "" {
			i := slices.Index(sources, s.Source)
			if i < 0 {
				i, sources = len(sources), append(sources, s.Source)
			}
			name += fmt.Sprintf(" (cited %d)", i+1)
		}
		row := []cell{{text: name}}
		for _, d := range t.Datasets {
			row = append(row, cell{text: accuracyText(s, d)})
		}
		b.grid.addRow(row)
	}
	for i, source := range sources {
		b.lines = append(b.lines, line{text: fmt.Sprintf("Cited %d: %s.", i+1, source)})
	}
	for _, note := range t.Notes {
		b.lines = append(b.lines, line{text: note})
	}
	return document{command: "evalctl report", blocks: []block{b}, data: t}
}

func accuracyText(s SystemScores, dataset string) string {
	e, ok := s.Scores[dataset]
	switch {
	case !ok:
		return noValue
	case s.Source != "":
		return estimate(e, percent, " %")
	}
	return scoredRate(e)
}
