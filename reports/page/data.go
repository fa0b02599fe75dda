package page

import (
	"cmp"
	"fmt"

	"evalctl/eval/runs"
	"evalctl/reports/page/pack"
)

// collect reads the results of both runs once, for what the page has of single trials.
func collect(p Page) (*pack.Packer, error) {
	packer := pack.New(p.Summary, pack.Options{Dir: p.Dir, Earlier: earlierPath(p), Live: p.Live, Budget: p.Size})
	for r, err := range p.Run.Results() {
		if err == nil {
			err = packer.Add(r)
		}
		if err != nil {
			return nil, fmt.Errorf("page: %w", err)
		}
	}
	if p.Earlier == nil {
		return packer, nil
	}
	for r, err := range p.Earlier.Results() {
		if err != nil {
			return nil, fmt.Errorf("page: earlier run: %w", err)
		}
		packer.Earlier(r)
	}
	return packer, nil
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
