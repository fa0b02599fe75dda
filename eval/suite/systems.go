package suite

import (
	"embed"
	"fmt"
	"maps"
	"slices"

	"evalctl/agent"
	"evalctl/eval"
)

//go:embed *.yaml
var shipped embed.FS

// system is an agent system as suites set it up.
type system struct {
	name       string
	components []string // that have a model or a service behind them
	settings   []string // that its variants have and those of other systems may lack
	plain      Variant  // played where none is described
	check      func(Variant) error
	reaches    func(v Variant, component string) bool                                     // false: the variant has no use for it
	talks      func(v Variant, component string) bool                                     // whether the variant's own chat model takes it over
	open       func(s Suite, v Variant, link func(component string) Link) (opened, error) // link: as in a trial without faults
}

// opened is a variant with all that it reads from files.
type opened struct {
	version string // changes with what is in them
	agent   func(noise uint64, link func(component string) Link) (agent.Agent, error)
	scorers func(fault string) []eval.Scorer
}

// systems lists the agent systems.
func systems() []system { return []system{toolRouter(), imageStudio()} }

// systemOf finds a system; the zero one is of no name.
func systemOf(name string) system {
	for _, s := range systems() {
		if s.name == name {
			return s
		}
	}
	return system{}
}

// foreign finds a setting of another system.
func (s system) foreign(v Variant) error {
	given := v.settings()
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if given[name] && !slices.Contains(s.settings, name) {
			return fmt.Errorf("%s: %s has none", name, s.name)
		}
	}
	return nil
}

// Shipped names the suites that evalctl ships.
func Shipped() []string { return Targets() }

// Targets names the agent systems that can be evaluated.
func Targets() (names []string) {
	for _, s := range systems() {
		names = append(names, s.name)
	}
	return names
}

// Components names the parts of a system that have a model or a service behind
// them.
func Components(target string) []string { return systemOf(target).components }

// Has tells whether a system's variants have a setting that not all systems
// know, by its name in a suite file: router, threshold, profile, critic …
func Has(target, setting string) bool { return slices.Contains(systemOf(target).settings, setting) }

// Reaches tells whether a variant has any use for a component, or for poll:
// asking for an asynchronous picture.
func (s Suite) Reaches(v Variant, component string) bool {
	of := systemOf(s.Target)
	if component == "poll" {
		return slices.Contains(of.components, "image") && of.reaches(v, component)
	}
	return slices.Contains(of.components, component) && of.reaches(v, component)
}

// Talks tells whether a variant's own chat model takes over a component.
func (s Suite) Talks(v Variant, component string) bool { return systemOf(s.Target).talks(v, component) }

// Plain is the variant of a system that is played where none is described.
func Plain(target string) Variant { return systemOf(target).plain }
