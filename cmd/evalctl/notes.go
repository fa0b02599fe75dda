package main

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"evalctl/eval"
	"evalctl/eval/suite"
)

// notes say what stood behind the numbers: a component that is real in some
// variants and simulated in others has a note for either.
func (w *world) notes() []eval.ModelNote {
	var notes []eval.ModelNote
	for _, component := range suite.Components(w.suite.Target) {
		var real []string
		simulated := 0
		for _, v := range w.suite.Variants {
			if e := w.endpoint(v, component); e.BaseURL != "" {
				real = append(real, e.Model+" at "+e.BaseURL)
			} else if w.suite.Reaches(v, component) {
				simulated++
			}
		}
		slices.Sort(real)
		if real = slices.Compact(real); len(real) > 0 {
			notes = append(notes, eval.ModelNote{Component: component, Kind: "real", Note: strings.Join(real, ", ")})
		}
		if simulated > 0 {
			notes = append(notes, eval.ModelNote{Component: component, Kind: "simulated", Note: w.describe(component, w.suite.Models[component])})
		}
	}
	return notes
}

func (w *world) describe(component string, m suite.Model) string {
	if component == "image" && w.suite.Target == "studio" {
		return w.describePainters(m)
	}
	parts := []string{cmp.Or(m.Model, plainName(component))}
	switch {
	case m.Behaviour == "labelled" && component == "critic":
		parts = append(parts, fmt.Sprintf("labelled, spread %v", m.Spread))
	case m.Behaviour == "labelled":
		parts = append(parts, fmt.Sprintf("labelled, accuracy %v", cmp.Or(m.Accuracy, 1)))
	}
	if m.Behaviour == "scripted" {
		parts = append(parts, "scripted by "+filepath.Base(m.Script))
	}
	if w.real {
		return strings.Join(append(parts, "no latency"), ", ")
	}
	if m.Latency != "" {
		parts = append(parts, m.Latency)
	}
	if m.Task > 0 && component == "image" {
		parts = append(parts, fmt.Sprintf("tasks of %v", m.Task))
	}
	return strings.Join(parts, ", ")
}

// describePainters tells apart the variants whose pictures come over the wire.
func (w *world) describePainters(m suite.Model) string {
	var painters []string
	for _, v := range w.suite.Variants {
		text := "placeholder pictures"
		if w.suite.Reaches(v, "poll") {
			text = fmt.Sprintf("%s, tasks of %v", cmp.Or(m.Model, "dashscope"), m.Task)
		}
		if !slices.Contains(painters, text) {
			painters = append(painters, text)
		}
	}
	return strings.Join(painters, "; ")
}

// plainName says what a component is where no model is named.
func plainName(component string) string {
	if component == "knowledge" {
		return "the shipped library"
	}
	return "stock answers"
}
