package backend

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"evalctl/agent/llm"
	"evalctl/agent/secret"
	"evalctl/agent/system"
	"evalctl/eval"
	"evalctl/eval/metric"
	"evalctl/eval/suite"
)

// ModelNotes describes how each component was answered (real endpoint, simulation or trained baseline
// model), for reports. A component has several notes if the variants differ.
func (b *Backend) ModelNotes() (notes []eval.ModelInfo) {
	for _, part := range b.suite.System().Components {
		notes = append(notes, b.partNotes(part)...)
	}
	return notes
}

func (b *Backend) partNotes(part system.Component) (notes []eval.ModelInfo) {
	var ways []string
	var simulated *eval.ModelInfo
	for _, v := range b.suite.Variants {
		if !b.suite.UsesComponent(v, part.Name) {
			continue
		}
		if e := b.suite.ModelFor(v, part.Name); e.BaseURL != "" {
			list := []string{strings.TrimSpace(e.Model + " at " + secret.RedactURL(e.BaseURL))}
			if p, name := llm.ParseModel(e.Model); name != "" && p.ServiceKind == "" {
				list = append(list, priceText(b.suite, e))
			}
			if b.isReplay {
				list = append(list, "as recorded")
			}
			notes = addNote(notes, eval.ModelInfo{Component: part.Name, Kind: "real", Note: strings.Join(list, ", ")},
				v)
			continue
		}
		if b.suite.UsesBaselineModel(v, part.Name) {
			notes = addNote(notes, eval.ModelInfo{Component: part.Name, Kind: "trained",
				Note: b.describeBaselineModel(v)}, v)
			continue
		}
		if simulated == nil {
			simulated = &eval.ModelInfo{
				Component:  part.Name,
				Kind:       "simulated",
				LabelBased: part.Role == system.RoleRouter && b.suite.Models[part.Name].Behavior == labeled,
				Noiseless: part.Role == system.RoleCritic && part.Simulate != nil &&
					b.suite.Models[part.Name].Behavior == labeled,
			}
		}
		simulated.Variants = append(simulated.Variants, v.Name)
		if text := b.describe(part, b.suite.SettingValues(v)); !slices.Contains(ways, text) {
			ways = append(ways, text)
		}
	}
	if simulated != nil {
		simulated.Note = strings.Join(ways, "; ")
		notes = append(notes, *simulated)
	}
	if len(notes) == 1 {
		notes[0].Variants = nil // no list: the note applies to all variants that use the component
	}
	for i := range notes {
		notes[i].Latency = b.latencyOf(part, notes[i].Kind)
	}
	return notes
}

// latencyOf returns where the reported latency of a component comes from; empty: every component is
// simulated.
func (b *Backend) latencyOf(part system.Component, kind string) eval.LatencyKind {
	switch {
	case !b.hasReal:
		return ""
	case kind == "real" && b.isReplay:
		return eval.LatencyRecorded
	case kind == "simulated" && part.Role == system.RoleStore: // a store is inside the process in either case
		return ""
	case kind == "simulated":
		return eval.LatencyOmitted
	}
	return eval.LatencyMeasured
}

// priceText describes the price of a real model, with its source and date.
func priceText(s suite.Suite, m suite.Model) string {
	p, ok := s.PriceOf(m)
	if !ok {
		return "no price"
	}
	return p.String()
}

// addNote adds the variant to an existing note with the same text, or adds the note.
func addNote(notes []eval.ModelInfo, note eval.ModelInfo, v suite.Variant) []eval.ModelInfo {
	i := slices.IndexFunc(notes, func(n eval.ModelInfo) bool { return n.Note == note.Note })
	if i < 0 {
		i, notes = len(notes), append(notes, note)
	}
	notes[i].Variants = append(notes[i].Variants, v.Name)
	return notes
}

// describeBaselineModel returns the kind and the training texts of a variant's baseline model, for
// a note.
func (b *Backend) describeBaselineModel(v suite.Variant) string {
	kind, _ := v.BaselineModel()
	return fmt.Sprintf("%s: %s, trained on %d texts of split train of %s",
		v.Model, kind.Describe(), b.baselineModels[kind].Size().Examples, filepath.Base(b.suite.Dataset))
}

// describe returns how a component is simulated, for a note: model name, behavior, quality and
// latency.
func (b *Backend) describe(part system.Component, v system.SettingValues) string {
	m := b.suite.Models[part.Name]
	inProcess := part.LocalImplementationFor(v)
	defaultValue := "stock answers"
	if part.NewCorpus != nil {
		defaultValue = "searches passages"
	}
	parts := []string{cmp.Or(inProcess, m.Model, defaultValue)}
	switch {
	case m.Behavior == labeled && part.Role == system.RoleCritic && part.Simulate != nil:
		parts = append(parts, "labeled")
	case m.Behavior == labeled && part.Role == system.RoleCritic:
		parts = append(parts, fmt.Sprintf("labeled, score_noise %v", m.ScoreNoise))
	case m.Behavior == labeled:
		parts = append(append(parts, "labeled"), b.abilities[part.Name].describe()...)
		if b.needHistory > 0 {
			parts = append(parts, fmt.Sprintf("guessing at %s where it is not shown what was said before",
				metric.Plural(b.needHistory, "case")))
		}
		// such answers come from the labels, so a change of the prompt has no effect
		if b.labels.hasPath() || b.labels.system.Contract.HasDatasetLabels() {
			parts = append(parts, "whatever the prompt")
		}
	case m.Behavior == scripted:
		parts = append(parts, "scripted by "+filepath.Base(m.Script))
	}
	if b.hasReal {
		return strings.Join(append(parts, "no latency"), ", ")
	}
	if m.Latency != "" {
		parts = append(parts, m.Latency)
	}
	if m.TaskDuration > 0 && inProcess == "" {
		parts = append(parts, fmt.Sprintf("tasks of %v", m.TaskDuration))
	}
	return strings.Join(parts, ", ")
}
