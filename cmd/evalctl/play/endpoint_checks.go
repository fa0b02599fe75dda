package play

import (
	"fmt"

	"evalctl/mocks/backend"
)

// checkAsked refuses what bounds, records or answers requests, where all that is real is
// commands, which nothing is asked of over HTTP.
func (p *Plan) checkAsked(o Endpoints) error {
	commands := false
	for _, one := range p.suites {
		for _, v := range one.suite.Variants {
			for _, part := range one.suite.System().Parts {
				if !one.suite.UsesComponent(v, part.Name) || !one.backend.IsReal(v, part.Name) {
					continue
				}
				if backend.CheckURL(one.suite.ModelFor(v, part.Name).BaseURL) == nil {
					return nil
				}
				commands = true
			}
		}
	}
	if commands && o.UnusedHTTPFlag != "" {
		return fmt.Errorf("--%s: requires an HTTP endpoint, and the run has none", o.UnusedHTTPFlag)
	}
	return nil
}

// checkLimited refuses limits of a run in which nobody is asked: they would be of no effect.
func (p *Plan) checkLimited(o Endpoints) error {
	switch {
	case o.UnusedRealFlag == "" || !p.simulated:
		return nil
	case p.replay != nil:
		return fmt.Errorf("--%s: cannot be combined with --replay: a cassette makes no requests", o.UnusedRealFlag)
	}
	return fmt.Errorf("--%s: the run has no real endpoint", o.UnusedRealFlag)
}
