package service

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// checkOptions refuses switches that the agent does not have, or that are
// neither on nor off, and values beside them that their checks refuse.
func (s *Service) checkOptions(agent string, options map[string]json.RawMessage) *problem {
	known, listed := s.cfg.Options[agent]
	if !listed {
		return nil
	}
	params := s.cfg.Params[agent]
	for _, name := range slices.Sorted(maps.Keys(options)) {
		if check, ok := params[name]; ok {
			if check == nil {
				continue
			}
			if err := check(options[name]); err != nil {
				return malformed("options.%s: %.200s", word(name), err.Error())
			}
			continue
		}
		if !slices.Contains(known, name) {
			all := slices.Concat(known, slices.Sorted(maps.Keys(params)))
			return malformed("options.%s: unknown switch (known: %s)", word(name), cmp.Or(strings.Join(all, ", "), "none"))
		}
		if on := string(options[name]); on != "true" && on != "false" {
			return malformed("options.%s: %s is neither true nor false", name, piece(on))
		}
	}
	return nil
}
