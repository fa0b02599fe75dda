package main

import (
	"cmp"
	"fmt"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"evalctl/eval"
	"evalctl/eval/suite"
	"evalctl/mocks"
)

// world connects the trials of a suite: real components over HTTP, the others
// to mock providers that each trial has for itself.
type world struct {
	suite   suite.Suite
	http    *http.Client // shared by what is real
	real    bool         // some component of some variant is real
	latency map[mocks.Component]mocks.Latency
	faults  map[string][]mocks.Fault // by cell
	scripts map[mocks.Component]mocks.Model
	labels  []string
}

// newWorld checks the suite's models and faults.
func newWorld(s suite.Suite, labels []string, client *http.Client) (*world, error) {
	w := &world{suite: s, http: client, labels: labels,
		latency: map[mocks.Component]mocks.Latency{}, faults: map[string][]mocks.Fault{},
		scripts: map[mocks.Component]mocks.Model{}}
	if m := s.Models["router"]; m.Behaviour == "" && m.BaseURL == "" {
		m.Behaviour, m.Accuracy = "labelled", cmp.Or(m.Accuracy, 1)
		models := map[string]suite.Model{"router": m}
		for name, other := range s.Models {
			if name != "router" {
				models[name] = other
			}
		}
		s.Models = models
		w.suite = s
	}
	for i, v := range s.Variants {
		w.real = w.real || v.BaseURL != ""
		if err := checkEndpoint(v.BaseURL, v.KeyEnv); err != nil {
			return nil, fmt.Errorf("variants[%d].%w", i, err)
		}
	}
	for name, m := range s.Models {
		w.real = w.real || m.BaseURL != ""
		if err := checkEndpoint(m.BaseURL, m.KeyEnv); err != nil {
			return nil, fmt.Errorf("models.%s.%w", name, err)
		}
		if err := w.simulate(mocks.Component(name), m); err != nil {
			return nil, fmt.Errorf("models.%s.%w", name, err)
		}
	}
	for i, v := range s.Variants {
		if err := w.breakDown(v); err != nil {
			return nil, fmt.Errorf("%s: %w", faultsPath(i, v), err)
		}
	}
	for _, spec := range s.Faults {
		if w.faults[spec] == nil && spec != eval.NoFault {
			return nil, fmt.Errorf("faults: fault %q strikes no variant: rules alone ask no router", spec)
		}
	}
	return w, w.check()
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
func (w *world) simulate(c mocks.Component, m suite.Model) error {
	switch {
	case m.Behaviour == "labelled" && c != mocks.Router:
		return fmt.Errorf("behaviour: labelled is for the router")
	case m.Behaviour == "scripted" && m.Script == "":
		return fmt.Errorf("script: is missing beside behaviour: scripted")
	case m.Behaviour == "scripted":
		script, err := mocks.LoadScript(w.suite.Path(m.Script))
		if err != nil {
			return fmt.Errorf("script: %w", err)
		}
		w.scripts[c] = script
	case m.Behaviour != "" && m.Behaviour != "labelled":
		return fmt.Errorf("behaviour: %w", unknown("behaviour", m.Behaviour, []string{"labelled", "scripted"}))
	case m.Script != "":
		return fmt.Errorf("script: goes with behaviour: scripted")
	}
	if err := checkQuality(m); err != nil {
		return err
	}
	if m.Latency == "" {
		return nil
	}
	l, err := mocks.ParseLatency(m.Latency)
	if err != nil {
		return fmt.Errorf("latency: %w", err)
	}
	w.latency[c] = l
	return nil
}

// checkQuality finds figures of a labelled model that are no shares.
func checkQuality(m suite.Model) error {
	figures := map[string]float64{"accuracy": m.Accuracy}
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

// faultsPath is where a variant's faults stand.
func faultsPath(i int, v suite.Variant) string {
	if v.Faults == nil {
		return "faults"
	}
	return fmt.Sprintf("variants[%d].faults", i)
}

// breakDown reads a variant's faults; what is real cannot be broken from here.
func (w *world) breakDown(v suite.Variant) error {
	for _, spec := range w.suite.FaultsOf(v) {
		if spec == eval.NoFault {
			continue
		}
		faults, err := parseFaults(spec)
		if err != nil {
			return err
		}
		for _, f := range faults {
			if f.Component != mocks.Poll && !slices.Contains(suite.Components(), string(f.Component)) {
				return fmt.Errorf("fault %q: %s has no %s", spec, w.suite.Target, f.Component)
			}
			if w.isReal(v, string(f.Component)) {
				return fmt.Errorf("fault %q: %s is a real endpoint in variant %s, faults are injected into simulated ones", spec, f.Component, v.Name)
			}
		}
		w.faults[spec] = faults
	}
	return nil
}

// check makes a server once, so that a bad setting is told before the run.
func (w *world) check() error {
	_, err := w.server(eval.Trial{Cell: &eval.Cell{}})
	return err
}

// connect gives a trial its links.
func (w *world) connect(t eval.Trial, v suite.Variant) (func(string) suite.Link, error) {
	server, err := w.server(t)
	if err != nil {
		return nil, err
	}
	client := &http.Client{Transport: mocks.Transport{Handler: server}}
	return func(component string) suite.Link {
		if w.isReal(v, component) {
			return w.realLink(v, component)
		}
		p, model := splitModel(w.suite.Models[component].Model)
		link := suite.Link{Provider: p.Name, Model: model, APIKey: "simulated", HTTP: client}
		switch {
		case p.BaseURL == "" && (component == "search" || component == "image"):
			link.Provider = "" // DashScope's, with a model of its own where none is named
		case p.BaseURL == "":
			link.Provider, link.Model = "openai", cmp.Or(model, "simulated")
		}
		return link
	}, nil
}

func (w *world) isReal(v suite.Variant, component string) bool {
	return w.endpoint(v, component).BaseURL != ""
}

// endpoint is what stands behind a component in a variant.
func (w *world) endpoint(v suite.Variant, component string) suite.Model {
	if v.BaseURL != "" && (component == "router" || component == "chat") {
		return suite.Model{Model: v.Model, BaseURL: v.BaseURL, KeyEnv: v.KeyEnv}
	}
	return w.suite.Models[component]
}

// realLink gives an endpoint that wants no key a word in its place: the wire
// format asks for one.
func (w *world) realLink(v suite.Variant, component string) suite.Link {
	m := w.endpoint(v, component)
	p, model := splitModel(m.Model)
	key := "none"
	if m.KeyEnv != "" {
		key = os.Getenv(m.KeyEnv)
	}
	return suite.Link{Provider: p.Name, Model: model, BaseURL: m.BaseURL, APIKey: key, HTTP: w.http}
}

// server is a trial's own mock of all providers. Beside real models the
// simulated ones answer at once: their waiting would only cost real time.
func (w *world) server(t eval.Trial) (*mocks.Server, error) {
	noise := t.Noise()
	cfg := mocks.Config{Seed: noise, Faults: w.faults[t.Cell.Fault], Model: w.model(t, noise)}
	if !w.real {
		cfg.Latency = w.latency
		cfg.Images = mocks.ImageConfig{Running: w.suite.Models["image"].Task}
	}
	return mocks.New(cfg)
}

// model speaks for all components: scripts for those that have one, else a
// model that knows the case's labels.
func (w *world) model(t eval.Trial, noise uint64) mocks.Model {
	m := w.suite.Models["router"]
	labelled := &mocks.Labelled{Labels: w.labels, Accuracy: m.Accuracy, Confusion: m.Confusion, Seed: noise,
		Label: func(text string) (string, bool) { return labelOf(t.Case, text) }}
	if c := m.Confidence; c != nil {
		labelled.Confidence = mocks.Calibration{
			Right: mocks.Spread{Mean: c.Right, Spread: c.Spread}, Wrong: mocks.Spread{Mean: c.Wrong, Spread: c.Spread}}
	}
	if len(w.scripts) == 0 {
		return labelled
	}
	return cast{w.scripts, labelled}
}

// cast is a model whose components speak from scripts, the others from labels.
type cast struct {
	scripts  map[mocks.Component]mocks.Model
	labelled *mocks.Labelled
}

func (c cast) Answer(r mocks.ChatRequest) mocks.Answer {
	if script, ok := c.scripts[r.Component]; ok {
		return script.Answer(r)
	}
	return c.labelled.Answer(r)
}

// Validate is asked once by the mocks.
func (c cast) Validate() error { return c.labelled.Validate() }

// labelOf is what the user of a case wants with a text.
func labelOf(c eval.Case, text string) (string, bool) {
	for _, s := range slices.Backward(c.Turns) {
		if s.Text == text {
			l, err := s.Labels("route")
			return l.Primary(), err == nil && l != nil
		}
	}
	return "", false
}

// notes say what stood behind the numbers: a component that is real in some
// variants and simulated in others has a note for either.
func (w *world) notes() []eval.ModelNote {
	var notes []eval.ModelNote
	for _, component := range suite.Components() {
		var real []string
		simulated := 0
		for _, v := range w.suite.Variants {
			if e := w.endpoint(v, component); e.BaseURL != "" {
				real = append(real, e.Model+" at "+e.BaseURL)
			} else if component != "router" || v.Router != "rules" {
				simulated++
			}
		}
		slices.Sort(real)
		if real = slices.Compact(real); len(real) > 0 {
			notes = append(notes, eval.ModelNote{Component: component, Kind: "real", Note: strings.Join(real, ", ")})
		}
		if simulated > 0 || len(real) == 0 {
			notes = append(notes, eval.ModelNote{Component: component, Kind: "simulated", Note: w.describe(component, w.suite.Models[component])})
		}
	}
	return notes
}

func (w *world) describe(component string, m suite.Model) string {
	parts := []string{cmp.Or(m.Model, "stock answers")}
	if m.Behaviour == "labelled" {
		parts = append(parts, fmt.Sprintf("labelled, accuracy %v", m.Accuracy))
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
