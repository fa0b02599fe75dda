package service

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// checkOptions refuses switches that the agent does not have, or that are
// neither on nor off.
func (s *Service) checkOptions(agent string, options map[string]json.RawMessage) *problem {
	known, listed := s.cfg.Options[agent]
	if !listed {
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(options)) {
		if !slices.Contains(known, name) {
			return malformed("options.%s: unknown switch (known: %s)", word(name), cmp.Or(strings.Join(known, ", "), "none"))
		}
		if on := string(options[name]); on != "true" && on != "false" {
			return malformed("options.%s: %s is neither true nor false", name, piece(on))
		}
	}
	return nil
}
