package reports

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"

	"evalctl/agent/file"
	"evalctl/eval"
	"evalctl/eval/metric"
	"evalctl/reports/document"
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

	document.Options
}

// SystemScores is the row of a system: measured or cited.
type SystemScores struct {
	Name   string                   `json:"name"`
	Scores map[string]eval.Estimate `json:"scores,omitempty"` // measured, by dataset
	Cited  map[string][]CitedValue  `json:"cited,omitempty"`  // by dataset, one for each source
}

// CitedValue is an accuracy that a publication reports.
type CitedValue struct {
	Accuracy float64 `json:"accuracy"` // from 0 to 1
	Source   string  `json:"source"`
}

// CitedScore is a published result, as a row of the file of --cited.
type CitedScore struct {
	System   string      `yaml:"system"`
	Dataset  string      `yaml:"dataset"` // heading of a column
	Accuracy *citedShare `yaml:"accuracy"`
	Source   string      `yaml:"source"` // publication, such as "Larson et al. 2019, table 2"
}

// citedShare is an accuracy from 0 to 1. In the file it is a share such as 0.969, or a percentage
// such as 96.9 or "96.9 %". A number up to 1 without a sign is a share.
type citedShare float64

// UnmarshalYAML reads the share from a node of the file.
func (c *citedShare) UnmarshalYAML(n ast.Node) error {
	text := strings.Trim(n.GetToken().Value, "'\" ")
	digits, isPercent := strings.CutSuffix(text, "%")
	v, err := metric.ParseDecimal(strings.TrimSpace(digits))
	if isPercent || v > 1 {
		v /= 100
	}
	if err != nil || !(v >= 0 && v <= 1) {
		return &file.YAMLError{Line: n.GetToken().Position.Line,
			Reason: fmt.Sprintf("accuracy %.40q is no percentage and no share: write 96.9, 96.9 %% or 0.969", text)}
	}
	*c = citedShare(v)
	return nil
}

// ReadCited reads a YAML list of published results.
func ReadCited(path string) ([]CitedScore, error) {
	text, err := file.Read(path, maxCitedFile)
	if err != nil {
		return nil, err
	}
	var list []CitedScore
	if err := yaml.UnmarshalWithOptions(text, &list, yaml.Strict()); err != nil {
		var share *file.YAMLError
		var y yaml.Error
		switch {
		case errors.As(err, &share):
			return nil, fmt.Errorf("%s:%w", path, share)
		case errors.As(err, &y) && y.GetToken() != nil:
			return nil, fmt.Errorf("%s:%d: %s. Write a list: - {system: BERT, dataset: NAME, accuracy: 96.9, source: TEXT}",
				path, y.GetToken().Position.Line, y.GetMessage())
		}
		return nil, fmt.Errorf("%s: %s", path, yaml.FormatError(err, false, false))
	}
	if len(list) > maxCited {
		return nil, fmt.Errorf("%s: has %d entries, at most %d are allowed", path, len(list), maxCited)
	}
	for i, c := range list {
		if c.System == "" || c.Dataset == "" || c.Source == "" || c.Accuracy == nil {
			return nil, fmt.Errorf("%s: entry %d: requires system, dataset, accuracy and source", path, i+1)
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
				row := t.row(c.Variant, false)
				if _, taken := row.Scores[dataset]; taken {
					row = t.row(c.Variant+" of "+r.Dir, false)
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
		row := t.row(c.System, true)
		if slices.ContainsFunc(row.Cited[c.Dataset], func(v CitedValue) bool { return v.Source == c.Source }) {
			return t, fmt.Errorf("%q of %q is cited twice for the dataset %q", c.System, c.Source, c.Dataset)
		}
		row.Cited[c.Dataset] = append(row.Cited[c.Dataset],
			CitedValue{Accuracy: float64(*c.Accuracy), Source: c.Source})
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
		t.Notes = append(t.Notes,
			fmt.Sprintf("%s%s of %s are in the train split, where baseline models are cross-validated.",
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

// row returns the row of a measured or of a cited system, which it adds if it is missing.
func (t *BenchmarkTable) row(name string, isCited bool) *SystemScores {
	i := slices.IndexFunc(t.Systems, func(s SystemScores) bool { return s.Name == name && s.Cited != nil == isCited })
	if i < 0 {
		i = len(t.Systems)
		one := SystemScores{Name: name, Scores: map[string]eval.Estimate{}}
		if isCited {
			one = SystemScores{Name: name, Cited: map[string][]CitedValue{}}
		}
		t.Systems = append(t.Systems, one)
	}
	return &t.Systems[i]
}

// Write renders the table in the given format.
func (t BenchmarkTable) Write(w io.Writer, format Format) error {
	return screen{noun: "benchmark table", layOut: t.document}.write(w, format, t.Options)
}

func (t BenchmarkTable) document(document.Target) document.Document {
	b := document.Block{Level: 2, Heading: "Accuracy by system and dataset",
		Lines: []document.Line{{Text: "Intervals: 95 %. n: scored cases."}}}
	b.Table = document.Table{Keys: 1, Columns: []document.Column{{Head: "system"}}}
	for _, d := range t.Datasets {
		b.Table.Columns = append(b.Table.Columns, document.Column{Head: d, Right: true})
	}
	sources := t.sources()
	for _, s := range t.Systems {
		row := []document.Cell{{Text: named(s.Name)}}
		own := s.sources()
		if len(own) == 1 {
			row[0].Text += citation(sources, own[0])
		}
		for _, d := range t.Datasets {
			text := noValue
			if e, ok := s.Scores[d]; ok {
				text = scoredRate(e)
			}
			var parts []string
			for _, v := range s.Cited[d] {
				part := percent(v.Accuracy) + " %"
				if len(own) > 1 {
					part += citation(sources, v.Source)
				}
				parts = append(parts, part)
			}
			row = append(row, document.Cell{Text: cmp.Or(strings.Join(parts, ", "), text)})
		}
		b.Table.AddRow(row)
	}
	for i, source := range sources {
		b.Lines = append(b.Lines, document.Line{Text: fmt.Sprintf("Cited %d: %s.", i+1, source)})
	}
	for _, note := range t.Notes {
		b.Lines = append(b.Lines, document.Line{Text: note})
	}
	return document.Document{Source: "evalctl report", Blocks: []document.Block{b}, Data: t}
}

// citation returns the mark of a source, with its number in the list of sources.
func citation(sources []string, source string) string {
	return fmt.Sprintf(" (cited %d)", slices.Index(sources, source)+1)
}

// sources returns the publications of all rows, in the order of the table.
func (t BenchmarkTable) sources() (list []string) {
	for _, s := range t.Systems {
		for _, source := range s.sources() {
			if !slices.Contains(list, source) {
				list = append(list, source)
			}
		}
	}
	return list
}

// sources returns the publications of a row, sorted.
func (s SystemScores) sources() (list []string) {
	for _, values := range s.Cited {
		for _, v := range values {
			list = append(list, v.Source)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}
