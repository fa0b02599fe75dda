package play

import (
	"fmt"

	"evalctl/agent/limit"
	"evalctl/mocks/backend"
)

// checkAsked refuses what bounds, records or answers requests, where all that is real is
// commands, which nothing is asked of over HTTP.
func (p *Plan) checkAsked(o Outside) error {
	commands := false
	for _, one := range p.suites {
		for _, v := range one.suite.Variants {
			for _, part := range one.suite.System().Parts {
				if !one.suite.Reaches(v, part.Name) || !one.backend.IsReal(v, part.Name) {
					continue
				}
				if backend.CheckURL(one.suite.Behind(v, part.Name).BaseURL) == nil {
					return nil
				}
				commands = true
			}
		}
	}
	if name := o.ofRequests(); commands && name != "" {
		return fmt.Errorf("--%s: goes with endpoints over HTTP; a command is none", name)
	}
	return nil
}

// ofRequests is the first flag given that is about requests, "" where none is. What a
// command costs is known where it tells its tokens and its model has a price.
func (o Outside) ofRequests() string {
	given := func(r limit.Rates) bool { return r.Each > 0 || len(r.Of) > 0 }
	for _, f := range []struct {
		name  string
		given bool
	}{{"record", o.Recorded}, {"replay", o.Replay != nil}, {"cache", o.Keep != nil}, {"rpm", given(o.Limits.Requests)},
		{"tpm", given(o.Limits.Tokens)}, {"max-calls", o.Budget.Calls > 0}} {
		if f.given {
			return f.name
		}
	}
	return ""
}
