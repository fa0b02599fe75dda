package page

import (
	"cmp"
	"fmt"

	"evalctl/eval/journal"
	"evalctl/eval/runs"
	"evalctl/reports/page/earlier"
	"evalctl/reports/page/pack"
	"evalctl/reports/page/spread"
)

// data are what a page has of single trials, and what figures need beside the summary.
type data struct {
	packer   *pack.Packer
	spread   *spread.Spread
	earlier  *earlier.Run // nil: none
	manifest *journal.Manifest
}

// collect reads the results of both runs, for all that needs them. Without a run there
// are none.
func collect(p Page) (data, error) {
	d := data{spread: spread.New(p.Summary.Suites)}
	if p.Run == nil {
		return d, nil
	}
	d.packer = pack.New(p.Summary, pack.Options{Dir: p.Dir, Earlier: earlierPath(p), Live: p.Live, Budget: p.Size})
	if p.Run.Manifest.Version != "" {
		d.manifest = &p.Run.Manifest
	}
	for r, err := range p.Run.Results() {
		if err == nil {
			err = d.packer.Add(r)
		}
		if err != nil {
			return d, fmt.Errorf("page: %w", err)
		}
		d.spread.Add(r)
	}
	if p.Earlier == nil {
		return d, nil
	}
	for r, err := range p.Earlier.Results() {
		if err != nil {
			return d, fmt.Errorf("page: earlier run: %w", err)
		}
		d.packer.Earlier(r)
	}
	d.earlier = earlier.Against(p.Run, p.Earlier)
	return d, nil
}

func earlierPath(p Page) string {
	if p.Earlier == nil {
		return ""
	}
	return p.Earlier.Path
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
