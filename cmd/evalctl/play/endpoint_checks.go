package play

import (
	"fmt"

	"evalctl/mocks/backend"
)

// checkHTTPFlags rejects flags for HTTP requests, such as --rpm, if all components are commands.
func (p *Plan) checkHTTPFlags(o EndpointOptions) error {
	commands := false
	for _, one := range p.suites {
		for _, v := range one.suite.Variants {
			for _, part := range one.suite.SystemOf(v).Components {
				if !one.suite.UsesComponent(v, part.Name) || !one.suite.UsesRealEndpoint(v, part.Name) {
					continue
				}
				if backend.CheckEndpointURL(one.suite.ModelFor(v, part.Name).BaseURL) == nil {
					return nil
				}
				commands = true
			}
		}
	}
	if commands && o.HTTPOnlyFlag != "" {
		return fmt.Errorf("--%s: requires an HTTP endpoint, and the run has none", o.HTTPOnlyFlag)
	}
	return nil
}

// checkLimitFlags rejects flags that limit calls of real endpoints if the run has no real endpoint.
func (p *Plan) checkLimitFlags(o EndpointOptions) error {
	switch {
	case o.RealOnlyFlag == "" || !p.simulated:
		return nil
	case p.replay != nil:
		return fmt.Errorf("--%s: cannot be combined with --replay: a cassette makes no requests", o.RealOnlyFlag)
	}
	return fmt.Errorf("--%s: the run has no real endpoint", o.RealOnlyFlag)
}
