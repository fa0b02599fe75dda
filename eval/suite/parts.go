package suite

import (
	"slices"

	"evalctl/agent/system"
)

// System is the declaration of the suite's target; the zero one is of no name.
func (s Suite) System() system.System {
	if s.Own != nil {
		return *s.Own
	}
	of, _ := Find(s.Target)
	return of
}

// Values are a variant's settings, the usual ones where none is given.
func (s Suite) Values(v Variant) system.Values { return s.System().Resolve(v.Settings) }

// Opening are a variant's settings as it is opened with them: paths from where the suite
// stands.
func (s Suite) Opening(v Variant) system.Values {
	values := s.Values(v)
	for _, set := range s.System().Settings {
		if set.File {
			values[set.Name] = set.Rewrite(values[set.Name], func(e system.Element) string { return s.Path(e.Text) })
		}
	}
	return values
}

// PartNames are the names by which the target's parts can be struck.
func (s Suite) PartNames() []string {
	of := s.System()
	names := partNames(of)
	if slices.ContainsFunc(of.Parts, func(p system.Part) bool { return p.Work == system.Paints }) {
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

// Reaches tells whether a variant has any use for a part, or for Poll: asking
// for a picture that is made by a task.
func (s Suite) Reaches(v Variant, part string) bool {
	values := s.Values(v)
	for _, p := range s.System().Parts {
		switch {
		case !p.IsUsed(values):
		case s.DecisionOnly && p.Work != system.Decides, p.Work == system.Grades && !s.GradeFacts:
		case p.Name == part:
			return true
		case part == system.Poll && p.Work == system.Paints && p.InProcess(values) == "":
			return true
		}
	}
	return false
}

// ByModel tells whether a variant's own chat model stands behind a part.
func (s Suite) ByModel(v Variant, part string) bool {
	p, ok := s.System().Part(part)
	return ok && p.IsByModel(s.Values(v))
}

// Behind is what stands behind a part in a variant: what its settings lead to, the
// variant's own model or floor where the target leaves the part to it, else the suite's.
func (s Suite) Behind(v Variant, part string) Model {
	if at := s.address(v, part); at != "" {
		return Model{Model: s.Models[part].Model, Price: s.Models[part].Price, BaseURL: at}
	}
	if s.HasFloor(v, part) {
		return Model{Model: v.Model}
	}
	if v.BaseURL != "" && s.ByModel(v, part) {
		return Model{Model: v.Model, BaseURL: v.BaseURL, KeyEnv: v.KeyEnv}
	}
	return s.Models[part]
}

// IsSimulated is true for a part that a variant reaches and that a mock answers: no endpoint,
// no trained model, and no store in the process.
func (s Suite) IsSimulated(v Variant, p system.Part) bool {
	return s.Reaches(v, p.Name) && s.Behind(v, p.Name).BaseURL == "" && !s.HasFloor(v, p.Name) &&
		!(p.Work == system.Keeps && p.InProcess(s.Values(v)) != "")
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
	real := func(p system.Part) bool { return s.Reaches(v, p.Name) && s.Behind(v, p.Name).BaseURL != "" }
	return slices.ContainsFunc(s.System().Settings, offered) || slices.ContainsFunc(s.System().Parts, real)
}

// address is where the settings of a variant lead a part, "" where they do not.
func (s Suite) address(v Variant, part string) string {
	p, _ := s.System().Part(part)
	if p.Address == nil {
		return ""
	}
	return p.At(s.Values(v))
}

// modelNodes are those under which chat models are called while a turn is played.
func (s Suite) modelNodes() (nodes []string) {
	works := []system.Work{system.Decides, system.Talks, system.Writes, system.Looks, system.Judges, system.Searches}
	for _, p := range s.System().Parts {
		if slices.Contains(works, p.Work) {
			nodes = append(nodes, p.In())
		}
	}
	return nodes
}

// judges tells whether the target has a part that judges.
func (s Suite) judges() bool {
	return slices.ContainsFunc(s.System().Parts, func(p system.Part) bool { return p.Work == system.Judges })
}

// grades tells whether the target has a part that grades facts, and cases that list
// some.
func (s Suite) grades() bool {
	of := s.System()
	return of.Contract.Facts != "" && slices.ContainsFunc(of.Parts, func(p system.Part) bool { return p.Work == system.Grades })
}

// realCritic tells whether a real model judges in a variant.
func (s Suite) realCritic(v Variant) bool {
	return slices.ContainsFunc(s.System().Parts, func(p system.Part) bool {
		return p.Work == system.Judges && s.Reaches(v, p.Name) && s.Behind(v, p.Name).BaseURL != ""
	})
}
