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
		return fmt.Errorf("--%s: goes with endpoints over HTTP, and none is asked", name)
	}
	return nil
}

// checkLimited refuses limits of a run in which nobody is asked: they would be of no effect.
func (p *Plan) checkLimited(o Outside) error {
	name := o.limit()
	if name == "" && o.Budget.Cost > 0 {
		name = "max-cost"
	}
	switch {
	case name == "" || !p.simulated:
		return nil
	case p.replay != nil:
		return fmt.Errorf("--%s: does not go with --replay: a cassette answers without asking anybody", name)
	}
	return fmt.Errorf("--%s: nothing of the run is real", name)
}

// ofRequests is the first flag given that is about requests, "" where none is. What a
// command costs is known where it tells its tokens and its model has a price.
func (o Outside) ofRequests() string {
	switch {
	case o.Recorded:
		return "record"
	case o.Replay != nil:
		return "replay"
	case o.Keep != nil:
		return "cache"
	}
	return o.limit()
}

// limit is the first flag given that bounds requests, "" where none is.
func (o Outside) limit() string {
	given := func(r limit.Rates) bool { return r.Each > 0 || len(r.Of) > 0 }
	switch {
	case given(o.Limits.Requests):
		return "rpm"
	case given(o.Limits.Tokens):
		return "tpm"
	case o.Budget.Calls > 0:
		return "max-calls"
	}
	return ""
}
