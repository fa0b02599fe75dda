package suite

import (
	"slices"

	"evalctl/agent/llm"
	"evalctl/agent/secret"
	"evalctl/agent/system"
)

// SettingValues returns the value of every setting of the target in a variant. A setting that the
// variant does not set has its default.
func (s Suite) SettingValues(v Variant) system.SettingValues {
	return s.SystemOf(v).WithDefaults(v.Settings)
}

// ResolvedSettings returns the settings with which a variant is opened: with defaults, and with file
// paths resolved relative to the suite's directory.
func (s Suite) ResolvedSettings(v Variant) system.SettingValues {
	values := s.SettingValues(v)
	for _, set := range s.SystemOf(v).Settings {
		if set.IsFile {
			values[set.Name] = set.ReplaceElements(values[set.Name],
				func(e system.SettingElement) string { return s.ResolvePath(e.Text) })
		}
	}
	return values
}

// ComponentNames returns the names of the components that a fault can refer to.
func (s Suite) ComponentNames() (names []string) {
	for _, of := range s.Systems() {
		names = append(names, namesOf(of.Components)...)
		if slices.ContainsFunc(of.Components, func(p system.Component) bool { return p.Role == system.RoleImage }) {
			names = append(names, system.PollComponent)
		}
	}
	return unique(names)
}

// components returns the components of all systems of the suite.
func (s Suite) components() (list []system.Component) {
	for _, of := range s.Systems() {
		list = append(list, of.Components...)
	}
	return list
}

func namesOf(list []system.Component) (names []string) {
	for _, p := range list {
		names = append(names, p.Name)
	}
	return names
}

// UsesComponent reports whether a variant uses the component. For system.PollComponent, it reports
// whether the variant polls for the result of an image task.
func (s Suite) UsesComponent(v Variant, part string) bool {
	values := s.SettingValues(v)
	for _, p := range s.SystemOf(v).Components {
		switch {
		case !p.IsUsed(values):
		case s.DecisionOnly && p.Role != system.RoleRouter, p.Role == system.RoleGrader && !s.GradeFacts:
		case p.Name == part:
			return true
		case part == system.PollComponent && p.Role == system.RoleImage && p.LocalImplementationFor(values) == "":
			return true
		}
	}
	return false
}

// UsesVariantModel reports whether the component calls the chat model in Variant.Model.
func (s Suite) UsesVariantModel(v Variant, part string) bool {
	p, ok := s.SystemOf(v).Component(part)
	return ok && p.UsesChatModel(s.SettingValues(v))
}

// usesSuiteModel reports whether a variant uses the suite's model for a component, or its name and
// price. See ModelFor.
func (s Suite) usesSuiteModel(v Variant, part string) bool {
	isReplaced := s.UsesBaselineModel(v, part) || v.BaseURL != "" && s.UsesVariantModel(v, part)
	return s.UsesComponent(v, part) && (s.endpointURL(v, part) != "" || !isReplaced)
}

// ModelFor returns the model of a component in a variant. The first of these applies: a URL in the
// variant's settings, the variant's baseline model or real model (if it is for this component), the
// suite's model for the component.
func (s Suite) ModelFor(v Variant, part string) Model {
	if at := s.endpointURL(v, part); at != "" {
		return Model{Model: s.Models[part].Model, Price: s.Models[part].Price, BaseURL: at}
	}
	if s.UsesBaselineModel(v, part) {
		return Model{Model: v.Model}
	}
	if v.BaseURL != "" && s.UsesVariantModel(v, part) {
		return Model{Model: v.Model, BaseURL: v.BaseURL, APIKeyEnv: v.KeyEnv}
	}
	return s.Models[part]
}

// IsSimulated reports whether the variant uses the component and evalctl simulates it. A real
// endpoint, a baseline model and a store that runs inside evalctl are not simulated.
func (s Suite) IsSimulated(v Variant, p system.Component) bool {
	return s.UsesComponent(v, p.Name) && s.ModelFor(v, p.Name).BaseURL == "" && !s.UsesBaselineModel(v, p.Name) &&
		!(p.Role == system.RoleStore && p.LocalImplementationFor(s.SettingValues(v)) != "")
}

// SimulatedComponents returns the names of the components that are simulated in a variant.
func (s Suite) SimulatedComponents(v Variant) (names []string) {
	for _, p := range s.SystemOf(v).Components {
		if s.IsSimulated(v, p) {
			names = append(names, p.Name)
		}
	}
	return names
}

// HasRealEndpoint reports whether a variant calls a real endpoint, or has a setting with endpoints
// that requests may select.
func (s Suite) HasRealEndpoint(v Variant) bool {
	offered := func(set system.Setting) bool { return set.IsSelectablePerRequest && v.Settings[set.Name] != "" }
	real := func(p system.Component) bool {
		return s.UsesComponent(v, p.Name) && s.ModelFor(v, p.Name).BaseURL != ""
	}
	of := s.SystemOf(v)
	return slices.ContainsFunc(of.Settings, offered) || slices.ContainsFunc(of.Components, real)
}

// UsesRealEndpoint reports whether a component has a real endpoint in a variant. Otherwise it is
// simulated or a baseline model.
func (s Suite) UsesRealEndpoint(v Variant, part string) bool {
	return s.ModelFor(v, part).BaseURL != ""
}

// DescribeEndpoint returns the provider and address of a component with a real endpoint, for
// messages; "": the component has none.
func (s Suite) DescribeEndpoint(v Variant, part string) string {
	m := s.ModelFor(v, part)
	if m.BaseURL == "" {
		return ""
	}
	name := part
	if m.Model != "" {
		p, _ := llm.ParseModel(m.Model)
		name = p.Name
	}
	return name + " at " + secret.RedactURL(m.BaseURL)
}

// endpointURL returns the URL of a component that the variant's settings contain, or "" if there is
// none.
func (s Suite) endpointURL(v Variant, part string) string {
	p, _ := s.SystemOf(v).Component(part)
	if p.URL == nil {
		return ""
	}
	return p.URLFor(s.SettingValues(v))
}

// modelNodes returns the trace nodes of the variant's components that call chat models during a turn.
func (s Suite) modelNodes(v Variant) (nodes []string) {
	works := []system.Role{system.RoleRouter, system.RoleChat, system.RoleStructured, system.RoleVision,
		system.RoleCritic, system.RoleSearchModel}
	for _, p := range s.SystemOf(v).Components {
		if slices.Contains(works, p.Role) {
			nodes = append(nodes, p.NodeName())
		}
	}
	return nodes
}

// hasCritic reports whether the target has a critic, which reviews results.
func (s Suite) hasCritic() bool {
	return slices.ContainsFunc(s.System().Components,
		func(p system.Component) bool { return p.Role == system.RoleCritic })
}

// hasGrader reports whether a model can grade the facts in answers: the target has a grader, and
// its cases can list facts.
func (s Suite) hasGrader() bool {
	of := s.System()
	return of.Contract.FactsField != "" &&
		slices.ContainsFunc(of.Components, func(p system.Component) bool { return p.Role == system.RoleGrader })
}

// hasRealCritic reports whether the critic of a variant is a real model, not a simulated one.
func (s Suite) hasRealCritic(v Variant) bool {
	return slices.ContainsFunc(s.SystemOf(v).Components, func(p system.Component) bool {
		return p.Role == system.RoleCritic && s.UsesComponent(v, p.Name) && s.ModelFor(v, p.Name).BaseURL != ""
	})
}
