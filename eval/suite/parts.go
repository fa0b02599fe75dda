package suite

import (
	"slices"

	"evalctl/agent/system"
)

// System is the declaration of the suite's target; the zero one is of no name.
func (s Suite) System() system.System {
	if s.CustomSystem != nil {
		return *s.CustomSystem
	}
	of, _ := Find(s.Target)
	return of
}

// Values are a variant's settings, the usual ones where none is given.
func (s Suite) Values(v Variant) system.Values { return s.System().WithDefaults(v.Settings) }

// OpenSettings are a variant's settings as it is opened with them: paths from where the suite
// stands.
func (s Suite) OpenSettings(v Variant) system.Values {
	values := s.Values(v)
	for _, set := range s.System().Settings {
		if set.IsFile {
			values[set.Name] = set.Rewrite(values[set.Name], func(e system.Element) string { return s.Path(e.Text) })
		}
	}
	return values
}

// PartNames are the names by which the target's parts can be struck.
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

// UsesComponent tells whether a variant has any use for a part, or for Poll: asking
// for a picture that is made by a task.
func (s Suite) UsesComponent(v Variant, part string) bool {
	values := s.Values(v)
	for _, p := range s.System().Parts {
		switch {
		case !p.IsUsed(values):
		case s.DecisionOnly && p.Role != system.RoleRouter, p.Role == system.RoleGrader && !s.GradeFacts:
		case p.Name == part:
			return true
		case part == system.Poll && p.Role == system.RoleImage && p.InProcess(values) == "":
			return true
		}
	}
	return false
}

// UsesVariantModel tells whether a variant's own chat model stands behind a part.
func (s Suite) UsesVariantModel(v Variant, part string) bool {
	p, ok := s.System().Part(part)
	return ok && p.IsByModel(s.Values(v))
}

// ModelFor is what stands behind a part in a variant: what its settings lead to, the
// variant's own model or floor where the target leaves the part to it, else the suite's.
func (s Suite) ModelFor(v Variant, part string) Model {
	if at := s.address(v, part); at != "" {
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

// IsSimulated is true for a part that a variant reaches and that a mock answers: no endpoint,
// no trained model, and no store in the process.
func (s Suite) IsSimulated(v Variant, p system.Component) bool {
	return s.UsesComponent(v, p.Name) && s.ModelFor(v, p.Name).BaseURL == "" && !s.HasBaselineModel(v, p.Name) &&
		!(p.Role == system.RoleStore && p.InProcess(s.Values(v)) != "")
}

// Simulated are the names of the parts that are simulated in a variant.
func (s Suite) Simulated(v Variant) (names []string) {
	for _, p := range s.System().Parts {
		if s.IsSimulated(v, p) {
			names = append(names, p.Name)
		}
	}
	return names
}

// HasReal is true where a variant reaches a part with a real endpoint, or lets a request name
// one.
func (s Suite) HasReal(v Variant) bool {
	offered := func(set system.Setting) bool { return set.Offers && v.Settings[set.Name] != "" }
	real := func(p system.Component) bool {
		return s.UsesComponent(v, p.Name) && s.ModelFor(v, p.Name).BaseURL != ""
	}
	return slices.ContainsFunc(s.System().Settings, offered) || slices.ContainsFunc(s.System().Parts, real)
}

// address is where the settings of a variant lead a part, "" where they do not.
func (s Suite) address(v Variant, part string) string {
	p, _ := s.System().Part(part)
	if p.URL == nil {
		return ""
	}
	return p.URLFor(s.Values(v))
}

// modelNodes are those under which chat models are called while a turn is played.
func (s Suite) modelNodes() (nodes []string) {
	works := []system.Role{system.RoleRouter, system.RoleChat, system.RoleStructured, system.RoleVision, system.RoleCritic, system.RoleSearchModel}
	for _, p := range s.System().Parts {
		if slices.Contains(works, p.Role) {
			nodes = append(nodes, p.NodeName())
		}
	}
	return nodes
}

// judges tells whether the target has a part that judges.
func (s Suite) judges() bool {
	return slices.ContainsFunc(s.System().Parts, func(p system.Component) bool { return p.Role == system.RoleCritic })
}

// grades tells whether the target has a part that grades facts, and cases that list
// some.
func (s Suite) grades() bool {
	of := s.System()
	return of.Contract.FactsField != "" && slices.ContainsFunc(of.Parts, func(p system.Component) bool { return p.Role == system.RoleGrader })
}

// realCritic tells whether a real model judges in a variant.
func (s Suite) realCritic(v Variant) bool {
	return slices.ContainsFunc(s.System().Parts, func(p system.Component) bool {
		return p.Role == system.RoleCritic && s.UsesComponent(v, p.Name) && s.ModelFor(v, p.Name).BaseURL != ""
	})
}
