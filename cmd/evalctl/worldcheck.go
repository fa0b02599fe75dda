package main

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"evalctl/eval/suite"
	"evalctl/mocks/component"
	"evalctl/mocks/latency"
	"evalctl/mocks/script"
)

// labelledByDefault has the models that decide and judge know the labels where
// the suite says nothing else of them.
func labelledByDefault(s suite.Suite) map[string]suite.Model {
	models := maps.Clone(s.Models)
	if models == nil {
		models = map[string]suite.Model{}
	}
	for _, name := range []string{"router", "critic"} {
		if m := models[name]; slices.Contains(suite.Components(s.Target), name) && m.Behaviour == "" && m.BaseURL == "" {
			m.Behaviour = "labelled"
			models[name] = m
		}
	}
	return models
}

// checkEndpoint finds what would only fail in every call.
func checkEndpoint(base, keyEnv string) error {
	if base == "" {
		return nil
	}
	if err := checkURL(base); err != nil {
		return fmt.Errorf("base_url: %w", err)
	}
	if keyEnv == "" {
		return nil
	}
	if err := checkKey(keyEnv); err != nil {
		return fmt.Errorf("api_key_env: %w", err)
	}
	return nil
}

// simulate settles how a component's simulated model behaves.
func (w *world) simulate(part string, m suite.Model) error {
	switch {
	case m.Behaviour == "labelled" && part != string(component.Router) && part != string(component.Critic):
		return errors.New("behaviour: labelled is for the router and the critic")
	case m.Behaviour == "scripted" && m.Script == "":
		return errors.New("script: is missing beside behaviour: scripted")
	case m.Behaviour == "scripted":
		scripted, err := script.Load(w.suite.Path(m.Script), nil)
		if err != nil {
			return fmt.Errorf("script: %w", err)
		}
		w.scripts[part] = scripted
	case m.Behaviour != "" && m.Behaviour != "labelled":
		return fmt.Errorf("behaviour: %w", unknown("behaviour", m.Behaviour, []string{"labelled", "scripted"}))
	case m.Script != "":
		return errors.New("script: goes with behaviour: scripted")
	}
	if err := checkQuality(m); err != nil {
		return err
	}
	if m.Latency == "" {
		return nil
	}
	l, err := latency.Parse(m.Latency)
	if err != nil {
		return fmt.Errorf("latency: %w", err)
	}
	w.latency[part] = l
	return nil
}

// checkQuality finds figures of a labelled model that are no shares.
func checkQuality(m suite.Model) error {
	figures := map[string]float64{"accuracy": m.Accuracy, "slots": m.Slots, "spread": m.Spread}
	if c := m.Confidence; c != nil {
		figures["confidence.right"], figures["confidence.wrong"], figures["confidence.spread"] = c.Right, c.Wrong, c.Spread
	}
	for _, name := range slices.Sorted(maps.Keys(figures)) {
		if v := figures[name]; !(v >= 0 && v <= 1) {
			return fmt.Errorf("%s: %v is not in 0..1", name, v)
		}
	}
	return nil
}
