package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"

	"evalctl/agent/llm"
	"evalctl/eval"
	"evalctl/eval/suite"
	"evalctl/mocks"
	"evalctl/mocks/fault"
	"evalctl/mocks/latency"
	"evalctl/mocks/model"
	"evalctl/mocks/transport"
)

// world connects the trials of a suite: real components over HTTP, the others
// to mock providers that each trial has for itself.
type world struct {
	suite   suite.Suite
	http    *http.Client // shared by what is real
	real    bool         // some component of some variant is real
	latency map[string]latency.Latency
	faults  map[string][]fault.Fault // by cell
	scripts map[string]model.Model
	labels  labels
}

// newWorld checks the suite's models and faults.
func newWorld(s suite.Suite, labels labels, client *http.Client) (*world, error) {
	w := &world{suite: s, http: client, labels: labels,
		latency: map[string]latency.Latency{}, faults: map[string][]fault.Fault{},
		scripts: map[string]model.Model{}}
	w.suite.Models = labelledByDefault(s)
	for i, v := range s.Variants {
		w.real = w.real || v.BaseURL != ""
		if err := checkEndpoint(v.BaseURL, v.KeyEnv); err != nil {
			return nil, fmt.Errorf("variants[%d].%w", i, err)
		}
	}
	for name, m := range w.suite.Models {
		w.real = w.real || m.BaseURL != ""
		if err := checkEndpoint(m.BaseURL, m.KeyEnv); err != nil {
			return nil, fmt.Errorf("models.%s.%w", name, err)
		}
		if err := w.simulate(name, m); err != nil {
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
			return nil, fmt.Errorf("faults: fault %q strikes no variant: none makes use of what it breaks", spec)
		}
	}
	return w, w.check()
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
			if !strikable(w.suite.Target, f.Part) {
				return fmt.Errorf("fault %q: %s has no %s", spec, w.suite.Target, f.Part)
			}
			if w.isReal(v, f.Part) {
				return fmt.Errorf("fault %q: %s is a real endpoint in variant %s, faults are injected into simulated ones", spec, f.Part, v.Name)
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
	client := &http.Client{Transport: transport.Transport{Handler: server}}
	return func(component string) suite.Link {
		if w.isReal(v, component) {
			return w.realLink(v, component)
		}
		p, model := llm.SplitModel(w.suite.Models[component].Model)
		link := suite.Link{Provider: p.Name, Model: model, APIKey: "simulated", HTTP: client, Local: local(server, component)}
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
	if v.BaseURL != "" && w.suite.Talks(v, component) {
		return suite.Model{Model: v.Model, BaseURL: v.BaseURL, KeyEnv: v.KeyEnv}
	}
	return w.suite.Models[component]
}

// realLink gives an endpoint that wants no key a word in its place: the wire
// format asks for one.
func (w *world) realLink(v suite.Variant, component string) suite.Link {
	m := w.endpoint(v, component)
	p, model := llm.SplitModel(m.Model)
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
	cfg := mocks.Config{Seed: noise, Faults: w.faults[t.Cell.Fault], Model: w.cast(t, noise)}
	if !w.real {
		cfg.Latency = w.latency
		cfg.Images = mocks.ImageConfig{Running: w.suite.Models["image"].Task}
	}
	return mocks.New(cfg)
}

// local is what stands before a component that is in the process: its mock's
// latency and faults, told as those of a call to the outside.
func local(server *mocks.Server, name string) func(context.Context) error {
	return func(ctx context.Context) error {
		err := server.Local(ctx, name)
		var struck *fault.Error
		switch {
		case !errors.As(err, &struck):
			return err
		case struck.Kind == fault.Reset:
			return &llm.Error{Kind: llm.KindReset, Message: struck.Error()}
		case struck.Kind == fault.ContentBlocked:
			return &llm.Error{Kind: llm.KindBlocked, Status: struck.Status, Message: struck.Error()}
		}
		return llm.Refused(llm.Provider{Name: llm.Generic}, struck.Status, string(struck.Kind), "", struck.Error())
	}
}
