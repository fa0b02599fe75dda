package play

import (
	"fmt"

	"evalctl/mocks/backend"
)

// checkHTTPFlags rejects flags for HTTP requests, such as --rpm, if all components are commands.
func (p *Plan) checkHTTPFlags(o Endpoints) error {
	commands := false
	for _, one := range p.suites {
		for _, v := range one.suite.Variants {
			for _, part := range one.suite.SystemOf(v).Components {
				if !one.suite.UsesComponent(v, part.Name) || !one.suite.IsReal(v, part.Name) {
					continue
				}
				if backend.CheckEndpointURL(one.suite.ModelFor(v, part.Name).BaseURL) == nil {
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

// checkLimitFlags rejects flags that limit calls of real endpoints if the run has no real endpoint.
func (p *Plan) checkLimitFlags(o Endpoints) error {
	switch {
	case o.UnusedRealFlag == "" || !p.simulated:
		return nil
	case p.replay != nil:
		return fmt.Errorf("--%s: cannot be combined with --replay: a cassette makes no requests", o.UnusedRealFlag)
	}
	return fmt.Errorf("--%s: the run has no real endpoint", o.UnusedRealFlag)
}
