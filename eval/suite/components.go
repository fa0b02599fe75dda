package suite

import (
	"slices"

	"evalctl/agent/system"
)

// System returns the declaration of the suite's target, the zero System if it is unknown.
func (s Suite) System() system.System {
	if s.CustomSystem != nil {
		return *s.CustomSystem
	}
	of, _ := Find(s.Target)
	return of
}

// Values returns a variant's settings, with defaults.
func (s Suite) Values(v Variant) system.Values { return s.System().WithDefaults(v.Settings) }

// OpenSettings returns a variant's settings with paths relative to the suite's directory resolved.
func (s Suite) OpenSettings(v Variant) system.Values {
	values := s.Values(v)
	for _, set := range s.System().Settings {
		if set.IsFile {
			values[set.Name] = set.Rewrite(values[set.Name], func(e system.Element) string { return s.Path(e.Text) })
		}
	}
	return values
}

// PartNames returns the component names that a fault can refer to.
func (s Suite) PartNames() []string {
	of := s.System()
	names := partNames(of)
	if slices.ContainsFunc(of.Parts, func(p system.Component) bool { return p.Role == system.RoleImage }) {
		names = append(names, system.Poll)
	}
	return names
}

func partNames(of system.System) (names []string) {
	for _, p := range of.Parts {
		names = append(names, p.Name)
	}
	return names
}

// UsesComponent reports whether a variant uses a component. For Poll, it reports whether it polls
// an image task.
func (s Suite) UsesComponent(v Variant, part string) bool {
	values := s.Values(v)
	for _, p := range s.System().Parts {
		switch {
		case !p.IsUsed(values):
		case s.DecisionOnly && p.Role != system.RoleRouter, p.Role == system.RoleGrader && !s.GradeFacts:
		case p.Name == part:
			return true
		case part == system.Poll && p.Role == system.RoleImage && p.LocalName(values) == "":
			return true
		}
	}
	return false
}

// UsesVariantModel reports whether a component uses the variant's own chat model.
func (s Suite) UsesVariantModel(v Variant, part string) bool {
	p, ok := s.System().Part(part)
	return ok && p.UsesChatModel(s.Values(v))
}

// ModelFor returns the model of a component in a variant. A URL in the settings comes first. Next
// is the variant's own or baseline model, if the target allows it, and then the suite's model.
func (s Suite) ModelFor(v Variant, part string) Model {
	if at := s.endpointURL(v, part); at != "" {
		return Model{Model: s.Models[part].Model, Price: s.Models[part].Price, BaseURL: at}
	}
	if s.HasBaselineModel(v, part) {
		return Model{Model: v.Model}
	}
	if v.BaseURL != "" && s.UsesVariantModel(v, part) {
		return Model{Model: v.Model, BaseURL: v.BaseURL, APIKeyEnv: v.KeyEnv}
	}
	return s.Models[part]
}

// IsSimulated reports whether a variant uses the component and a mock answers for it. The component
// then has no endpoint, no baseline model and no in-process store.
func (s Suite) IsSimulated(v Variant, p system.Component) bool {
	return s.UsesComponent(v, p.Name) && s.ModelFor(v, p.Name).BaseURL == "" && !s.HasBaselineModel(v, p.Name) &&
		!(p.Role == system.RoleStore && p.LocalName(s.Values(v)) != "")
}

// Simulated returns the names of the simulated components of a variant.
func (s Suite) Simulated(v Variant) (names []string) {
	for _, p := range s.System().Parts {
		if s.IsSimulated(v, p) {
			names = append(names, p.Name)
		}
	}
	return names
}

// HasReal reports whether a variant uses a component with a real endpoint, or accepts requests that
// name one.
func (s Suite) HasReal(v Variant) bool {
	offered := func(set system.Setting) bool { return set.IsSelectable && v.Settings[set.Name] != "" }
	real := func(p system.Component) bool {
		return s.UsesComponent(v, p.Name) && s.ModelFor(v, p.Name).BaseURL != ""
	}
	return slices.ContainsFunc(s.System().Settings, offered) || slices.ContainsFunc(s.System().Parts, real)
}

// endpointURL returns the URL of a component from a variant's settings, "" if there is none.
func (s Suite) endpointURL(v Variant, part string) string {
	p, _ := s.System().Part(part)
	if p.URL == nil {
		return ""
	}
	return p.URLFor(s.Values(v))
}

// modelNodes returns the nodes that call chat models during a turn.
func (s Suite) modelNodes() (nodes []string) {
	works := []system.Role{system.RoleRouter, system.RoleChat, system.RoleStructured, system.RoleVision,
		system.RoleCritic, system.RoleSearchModel}
	for _, p := range s.System().Parts {
		if slices.Contains(works, p.Role) {
			nodes = append(nodes, p.NodeName())
		}
	}
	return nodes
}

// hasCritic reports whether the target has a critic.
func (s Suite) hasCritic() bool {
	return slices.ContainsFunc(s.System().Parts, func(p system.Component) bool { return p.Role == system.RoleCritic })
}

// hasGrader reports whether the target has a grader of facts and a field that lists facts.
func (s Suite) hasGrader() bool {
	of := s.System()
	return of.Contract.FactsField != "" &&
		slices.ContainsFunc(of.Parts, func(p system.Component) bool { return p.Role == system.RoleGrader })
}

// hasRealCritic reports whether the critic of a variant is a real model.
func (s Suite) hasRealCritic(v Variant) bool {
	return slices.ContainsFunc(s.System().Parts, func(p system.Component) bool {
		return p.Role == system.RoleCritic && s.UsesComponent(v, p.Name) && s.ModelFor(v, p.Name).BaseURL != ""
	})
}
