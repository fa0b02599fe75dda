package page

import (
	"cmp"
	"fmt"

	"evalctl/eval"
	"evalctl/eval/compare"
	"evalctl/eval/journal"
	"evalctl/eval/runs"
)

// TrialCollector collects the data of single trials that a page shows. It stores only a few numbers
// for each result.
type TrialCollector struct {
	packer *Packer
	spread *Collector
	err    error
}

var _ eval.Sink = (*TrialCollector)(nil)

// NewTrialCollector returns an empty collector for the results of a page's run.
func NewTrialCollector(p Page) *TrialCollector {
	suites := p.Run.Suites()
	return &TrialCollector{
		packer: NewPacker(eval.Summary{Suites: suites}, EncodeOptions{
			Dir:          p.Dir,
			BaselinePath: baselinePath(p),
			TraceURL:     p.TraceURL,
			MaxBytes:     p.MaxBytes,
		}),
		spread: NewCollector(suites),
	}
}

// Add adds the result of a trial. It always returns nil: an invalid result is reported when the
// page is written, so that other sinks still receive the results.
func (t *TrialCollector) Add(r eval.Result) error {
	t.spread.Add(r)
	if t.err == nil {
		t.err = t.packer.Add(r)
	}
	return nil
}

// data contains what the figures of a page show in addition to the summary of the run.
type data struct {
	packer   *Packer // nil: the page has no run, only a summary
	spread   *Collector
	earlier  *RunDiff // nil: no baseline run
	manifest *journal.Manifest
	prompts  []compare.Prompt // prompts that the run stored
}

// notCompared returns a sentence for each suite that cannot be compared with the baseline run, with
// the reason.
func (d data) notCompared(suites []eval.SuiteSummary) (list []string) {
	if d.earlier == nil {
		return nil
	}
	for _, s := range suites {
		if why := d.earlier.Suite(s.Name).NotComparedReason; why != "" {
			list = append(list, fmt.Sprintf("suite %s is not compared with %s: %s", s.Name,
				d.earlier.BaselinePath, why))
		}
	}
	return list
}

// collect returns the data of the page's run. It reads the results of the run, unless the caller
// has already collected them in p.Trials. Without a run, the data are empty.
func collect(p Page) (data, error) {
	if p.Run == nil {
		return data{spread: NewCollector(p.Summary.Suites)}, nil
	}
	if p.Trials == nil {
		p.Trials = NewTrialCollector(p)
		if err := p.Run.ReadInto(p.Trials); err != nil {
			return data{}, fmt.Errorf("page: %w", err)
		}
	}
	if p.Trials.err != nil {
		return data{}, fmt.Errorf("page: %w", p.Trials.err)
	}
	d := data{packer: p.Trials.packer, spread: p.Trials.spread}
	if p.Run.Manifest.Version != "" {
		d.manifest = &p.Run.Manifest
		d.prompts = p.Run.Prompts()
	}
	if p.BaselineRun == nil {
		return d, nil
	}
	for r, err := range p.BaselineRun.Results() {
		if err != nil {
			return d, fmt.Errorf("page: earlier run: %w", err)
		}
		d.packer.AddBaseline(r)
	}
	d.earlier = CompareWithBaseline(p.Run, p.BaselineRun)
	return d, nil
}

func baselinePath(p Page) string {
	if p.BaselineRun == nil {
		return ""
	}
	return p.BaselineRun.Path
}

// packData returns the data of the cases for the page; fixed is the size of the rest of the page in
// bytes. A trial whose trace cannot be read is included without it, and the page gets a note.
func packData(packer *Packer, run *runs.Run, fixed int64) (out Packed, err error) {
	traces, err := run.IndexTrials()
	if err != nil {
		return out, fmt.Errorf("page: %w", err)
	}
	defer func() { err = cmp.Or(err, traces.Close()) }()
	out, err = packer.Pack(fixed, traces)
	if err != nil {
		return out, fmt.Errorf("page: %w", err)
	}
	out.Notes = append(traces.TraceProblems(), out.Notes...)
	return out, nil
}
