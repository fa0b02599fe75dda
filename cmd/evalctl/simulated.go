package main

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"evalctl/agent/imagegen"
	"evalctl/agent/llm"
	"evalctl/agent/search"
	"evalctl/agent/system"
	"evalctl/eval/suggest"
	"evalctl/eval/suite"
)

const allowSimulatedHelp = "simulated `COMPONENTS` that may answer together with real ones, for example search,image; without a value: all"

// allComponents is the value of --allow-simulated without an argument: it allows all components.
const allComponents = "all"

// allows reports whether --allow-simulated permits a component to be simulated although others are
// real.
func (f *agentFlags) allows(part string) bool {
	return f.allowSimulated == allComponents || slices.Contains(strings.Split(f.allowSimulated, ","), part)
}

// checkAllowed returns an error if --allow-simulated names an unknown component.
func (f *agentFlags) checkAllowed(known []string) error {
	if f.allowSimulated == "" || f.allowSimulated == allComponents {
		return nil
	}
	for part := range strings.SplitSeq(f.allowSimulated, ",") {
		if err := suggest.CheckKnown("part", part, known); err != nil {
			return flagError("allow-simulated", err)
		}
	}
	return nil
}

// simulated returns the names of the simulated components of each agent. If an agent also has real
// components, all simulated ones must be allowed: users must not mistake simulated results for real
// ones.
func (f *agentFlags) simulated(suites map[string]suite.Suite) (map[string][]string, error) {
	list := map[string][]string{}
	var refused []error
	for _, target := range slices.Sorted(maps.Keys(suites)) {
		s := suites[target]
		v := s.Variants[0]
		list[target] = s.SimulatedComponents(v)
		notAllowed := slices.DeleteFunc(slices.Clone(list[target]), f.allows)
		if s.HasRealEndpoint(v) && len(notAllowed) > 0 {
			refused = append(refused, fmt.Errorf("%s: %s", target, f.howToConnect(s, notAllowed)))
		}
	}
	return list, errors.Join(refused...)
}

// howToConnect returns an error text for an agent with real and simulated components. It names the
// simulated ones and the flags that make them real, remove them or allow them.
func (f *agentFlags) howToConnect(s suite.Suite, parts []string) string {
	values := s.SettingValues(s.Variants[0])
	var flags, absent []string
	for _, name := range parts {
		part, _ := s.System().Component(name)
		for _, setting := range slices.Sorted(maps.Keys(part.RemoteSettings)) {
			if values[setting] != part.RemoteSettings[setting] {
				flags = append(flags, "--"+setting+" "+part.RemoteSettings[setting])
			}
		}
		if f.model == "" && part.UsesChatModel(values) {
			flags = append(flags, "--model PROVIDER:NAME")
		} else {
			flags = append(flags, "--real "+name+"="+realExample(part))
		}
		if s.System().IsOptional(name) {
			absent = append(absent, name)
		}
	}
	are := "is"
	if len(parts) > 1 {
		are = "are"
	}
	text := fmt.Sprintf("%s %s simulated while other parts are real: users would mistake made-up results for real ones. Connect real ones with %s",
		strings.Join(parts, ", "), are, strings.Join(slices.Compact(flags), " "))
	if len(absent) > 0 {
		text += ", do without them with --without " + strings.Join(absent, "+")
	}
	return text + ", or allow them with --allow-simulated=" + strings.Join(parts, ",")
}

// realExample returns an example value of --real for a component, for error texts.
func realExample(part system.Component) string {
	if services := suite.ServiceProviders(part.Role); len(services) > 0 {
		if p, _ := llm.LookupProvider(services[0]); p.BaseURL == "" {
			return p.Name + ":http://HOST:PORT"
		}
		return services[0]
	}
	switch part.Role {
	case system.RoleImage:
		return "dashscope:" + imagegen.DefaultModel
	case system.RoleSearchModel:
		return "dashscope:" + search.DefaultModel
	}
	return "PROVIDER:NAME"
}

func printSimulated(stderr io.Writer, simulated map[string][]string) error {
	for _, target := range slices.Sorted(maps.Keys(simulated)) {
		if parts := simulated[target]; len(parts) > 0 {
			if _, err := fmt.Fprintf(stderr, "evalctl: %s: simulated: %s; every answer says so\n", target,
				strings.Join(parts, ", ")); err != nil {
				return err
			}
		}
	}
	return nil
}
