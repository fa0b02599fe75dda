package backend

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"evalctl/agent/system"
	"evalctl/eval"
)

// Notes say what stood behind the numbers: a part that is real in some variants
// and simulated in others has a note for either.
func (b *Backend) Notes() (notes []eval.ModelNote) {
	for _, part := range b.suite.System().Parts {
		var real, simulated []string
		for _, v := range b.suite.Variants {
			if e := b.endpoint(v, part.Name); e.BaseURL != "" && b.suite.Reaches(v, part.Name) {
				real = append(real, e.Model+" at "+e.BaseURL)
			} else if b.suite.Reaches(v, part.Name) {
				if text := b.describe(part, b.suite.Values(v)); !slices.Contains(simulated, text) {
					simulated = append(simulated, text)
				}
			}
		}
		slices.Sort(real)
		if real = slices.Compact(real); len(real) > 0 {
			notes = append(notes, eval.ModelNote{Component: part.Name, Kind: "real", Note: strings.Join(real, ", ")})
		}
		if len(simulated) > 0 {
			notes = append(notes, eval.ModelNote{Component: part.Name, Kind: "simulated", Note: strings.Join(simulated, "; ")})
		}
	}
	return notes
}

// describe says how a part is simulated.
func (b *Backend) describe(part system.Part, v system.Values) string {
	m := b.suite.Models[part.Name]
	inProcess := part.InProcess(v)
	parts := []string{cmp.Or(inProcess, m.Model, "stock answers")}
	switch {
	case m.Behaviour == knowing && part.Work == system.Judges:
		parts = append(parts, fmt.Sprintf("labelled, spread %v", m.Spread))
	case m.Behaviour == knowing:
		parts = append(parts, fmt.Sprintf("labelled, accuracy %v", cmp.Or(m.Accuracy, 1)))
		if b.suite.System().Contract.IsOpen() { // prompts are all that such a system is made of
			parts = append(parts, "whatever the prompt")
		}
	case m.Behaviour == scripted:
		parts = append(parts, "scripted by "+filepath.Base(m.Script))
	}
	if b.real {
		return strings.Join(append(parts, "no latency"), ", ")
	}
	if m.Latency != "" {
		parts = append(parts, m.Latency)
	}
	if m.Task > 0 && inProcess == "" {
		parts = append(parts, fmt.Sprintf("tasks of %v", m.Task))
	}
	return strings.Join(parts, ", ")
}
