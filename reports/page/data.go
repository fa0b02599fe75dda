package page

import (
	"cmp"
	"fmt"

	"evalctl/eval"
	"evalctl/eval/journal"
	"evalctl/eval/runs"
	"evalctl/reports/page/earlier"
	"evalctl/reports/page/pack"
	"evalctl/reports/page/spread"
)

// Trials are what a page has of single trials, taken from the results of its run one by
// one. What it keeps of each are a few numbers.
type Trials struct {
	packer *pack.Packer
	spread *spread.Collector
	err    error
}

var _ eval.Sink = (*Trials)(nil)

// NewTrials makes ready for the results of a page's run.
func NewTrials(p Page) *Trials {
	suites := p.Run.Suites()
	return &Trials{
		packer: pack.New(eval.Summary{Suites: suites}, pack.Options{Dir: p.Dir, Earlier: earlierPath(p), Live: p.TraceURL, Budget: p.Size}),
		spread: spread.NewCollector(suites),
	}
}

// Add takes a result. What is wrong with one is told where the page is written: it does
// not concern what else the results are read for.
func (t *Trials) Add(r eval.Result) error {
	t.spread.Add(r)
	if t.err == nil {
		t.err = t.packer.Add(r)
	}
	return nil
}

// data are what figures need beside the summary, and what is packed.
type data struct {
	packer   *pack.Packer // nil: there is nothing
	spread   *spread.Collector
	earlier  *earlier.BaselineDiff // nil: none
	manifest *journal.Manifest
}

// refusals say what is not held against the earlier run, and why.
func (d data) refusals(suites []eval.SuiteSummary) (list []string) {
	if d.earlier == nil {
		return nil
	}
	for _, s := range suites {
		if why := d.earlier.Suite(s.Name).Refused; why != "" {
			list = append(list, fmt.Sprintf("suite %s is not compared with %s: %s", s.Name, d.earlier.Name, why))
		}
	}
	return list
}

// collect reads what is not at hand. Without a run there is nothing.
func collect(p Page) (data, error) {
	if p.Run == nil {
		return data{spread: spread.NewCollector(p.Summary.Suites)}, nil
	}
	if p.Trials == nil {
		p.Trials = NewTrials(p)
		if err := p.Run.Read(p.Trials); err != nil {
			return data{}, fmt.Errorf("page: %w", err)
		}
	}
	if p.Trials.err != nil {
		return data{}, fmt.Errorf("page: %w", p.Trials.err)
	}
	d := data{packer: p.Trials.packer, spread: p.Trials.spread}
	if p.Run.Manifest.Version != "" {
		d.manifest = &p.Run.Manifest
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
	d.earlier = earlier.CompareWithBaseline(p.Run, p.BaselineRun)
	return d, nil
}

func earlierPath(p Page) string {
	if p.BaselineRun == nil {
		return ""
	}
	return p.BaselineRun.Path
}

// packed are the parts of the data, beside a page of so many bytes. Traces that cannot be
// read are told, and the trials stand without them.
func packed(packer *pack.Packer, run *runs.Run, fixed int64) (out pack.Packed, err error) {
	traces, err := run.Lookup()
	if err != nil {
		return out, fmt.Errorf("page: %w", err)
	}
	defer func() { err = cmp.Or(err, traces.Close()) }()
	out, err = packer.Pack(fixed, traces)
	if err != nil {
		return out, fmt.Errorf("page: %w", err)
	}
	out.Notes = append(traces.Notes(), out.Notes...)
	return out, nil
}
