package service

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"evalctl/agent"
	"evalctl/agent/system"
)

// checkContract rejects a turn with several messages, state, options or a button that the agent's
// declaration does not allow.
func (s *Service) checkContract(name string, t agent.Turn) *problem {
	of, listed := s.cfg.Systems[name]
	if t.Batch != nil && !of.Contract.AllowBatch {
		return malformed("messages: %s takes one message a turn, as text", name)
	}
	if p := checkState(of.Contract, t.State); p != nil {
		return p
	}
	if !listed {
		return nil
	}
	if err := of.Contract.CheckButton(t.ButtonID); err != nil {
		return malformed("action: %v", err)
	}
	return checkOptions(of.Contract, t.Options)
}

func checkOptions(of system.Contract, options map[string]json.RawMessage) *problem {
	for _, name := range slices.Sorted(maps.Keys(options)) {
		check := of.OptionCheck(name)
		if check == nil {
			return malformed("options.%s: unknown switch (known: %s)", fieldName(name), listOf(of.OptionNames()))
		}
		if err := check(options[name]); err != nil {
			return malformed("options.%s: %v", name, err)
		}
	}
	return nil
}

func checkState(of system.Contract, state map[string]json.RawMessage) *problem {
	for _, name := range slices.Sorted(maps.Keys(state)) {
		check, known := of.StateFields[name]
		if name == coordinatesKey && !known {
			continue
		}
		if !known {
			return malformed("state.%s: unknown key (known: %s)", fieldName(name),
				listOf(slices.Sorted(maps.Keys(of.StateFields))))
		}
		if check == nil {
			continue
		}
		if err := check(state[name]); err != nil {
			return malformed("state.%s: %v", name, err)
		}
	}
	return nil
}

func listOf(names []string) string { return cmp.Or(strings.Join(names, ", "), "none") }
