// Package backend connects each part of an agent in a trial to a real endpoint or to a mock with
// the labels. It is the only package that combines mocks, labels and suites.
package backend

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"net/http"
	"slices"

	"evalctl/agent/llm"
	"evalctl/agent/secret"
	"evalctl/agent/system"
	"evalctl/agent/trace"
	"evalctl/eval"
	"evalctl/eval/floor"
	"evalctl/eval/suite"
	"evalctl/mocks"
	"evalctl/mocks/component"
	"evalctl/mocks/fault"
	"evalctl/mocks/latency"
	"evalctl/mocks/model"
	"evalctl/mocks/transport"
)

// Config configures a Backend.
type Config struct {
	Suite             suite.Suite
	Material          suite.DatasetInfo
	HTTP              *http.Client // client for real endpoints
	Middleware        []Middleware // wraps calls of real endpoints; the first one is the outermost
	Secrets           *secret.Set  // receives the keys and passwords of real endpoints; may be nil
	Replayed          bool         // real endpoints are replayed from recordings, so no key is needed
	AllowUnknownTexts bool         // decide texts without a case heuristically, as in a conversation

	NeedHistory int64 // number of cases tagged eval.NeedsHistory

	// Cases are the cases of the dataset, or a sufficient sample, to find texts whose words suggest
	// a wrong label; nil: the difficulty of cases does not depend on their words.
	Cases iter.Seq2[eval.Case, error]
}

// Backend connects the trials of a suite to their parts: real ones over HTTP, the others to mock
// providers of the trial's own.
type Backend struct {
	suite          suite.Suite
	http           *http.Client
	middleware     []Middleware
	secrets        *secret.Set
	isReplay       bool
	hasReal        bool // some part of some variant is real
	parts          component.Components
	latency        map[string]latency.Latency // by part
	faults         map[string][]fault.Fault   // by fault spec
	scripts        map[string]model.Model
	labels         labels
	baselineModels map[floor.Kind]floor.Model
	wirings        map[string]wiring // by variant

	corpora   map[string]mocks.Corpus // corpora, by part and settings
	abilities map[string]ability      // of simulated models, by part
	// for models that do not see the history: no label is known, all decisions are heuristic
	labelsWithoutHistory labels
	needHistory          int64
}

// wiring is derived from a variant's settings.
type wiring struct {
	endpoints     map[string]suite.Model     // by part
	real          map[string]system.Endpoint // real parts only; without HTTP client
	form          system.AnswerFormat
	baselineModel floor.Model             // decides; nil: none
	corpora       map[string]mocks.Corpus // by part
}

// New checks the suite's models and faults and returns a Backend.
func New(cfg Config) (*Backend, error) {
	of := cfg.Suite.System()
	b := &Backend{
		suite:          cfg.Suite,
		http:           cfg.HTTP,
		middleware:     cfg.Middleware,
		secrets:        cfg.Secrets,
		isReplay:       cfg.Replayed,
		labels:         labels{system: of, all: of.Contract.Labels},
		parts:          PartsOf(of),
		latency:        map[string]latency.Latency{},
		faults:         map[string][]fault.Fault{},
		scripts:        map[string]model.Model{},
		baselineModels: map[floor.Kind]floor.Model{},
		wirings:        map[string]wiring{},
		corpora:        map[string]mocks.Corpus{},
		abilities:      map[string]ability{},
		needHistory:    cfg.NeedHistory,
	}
	for _, l := range cfg.Material.Labels {
		b.labels.all = append(b.labels.all, l.Name)
	}
	b.labelsWithoutHistory = b.labels
	if (cfg.AllowUnknownTexts || cfg.NeedHistory > 0 || cfg.Cases != nil) && of.HeuristicDecider != nil {
		guess, err := of.HeuristicDecider(system.Options{Labels: cfg.Material.Labels, Examples: cfg.Material.Examples})
		if err != nil {
			return nil, err
		}
		b.labelsWithoutHistory.guess = guess
		if cfg.AllowUnknownTexts {
			b.labels.guess = guess
		}
	}
	b.suite.Models = labeledByDefault(cfg.Suite)
	if err := b.checkModels(); err != nil {
		return nil, err
	}
	if b.hasDifficulty() && cfg.Cases != nil && b.labelsWithoutHistory.guess != nil && !b.labels.hasPath() {
		words, err := wordingOf(cfg.Cases, b.labelsWithoutHistory.guess, of.Contract.LabelField)
		if err != nil {
			return nil, err
		}
		b.labels.wording = words
	}
	if err := b.setFaults(); err != nil {
		return nil, err
	}
	if err := b.train(cfg.Material.TrainingSet); err != nil {
		return nil, err
	}
	for _, v := range b.suite.Variants {
		w, err := b.wiringOf(v)
		if err != nil {
			return nil, err
		}
		b.wirings[v.Name] = w
	}
	if err := b.checkDeciders(); err != nil {
		return nil, err
	}
	// reports invalid settings before the run
	_, err := b.server(eval.Trial{Condition: &eval.Condition{}}, wiring{}, turnsOf(eval.Case{}))
	return b, err
}

// PartsOf returns the parts of the systems with their roles.
func PartsOf(systems ...system.System) component.Components {
	parts := component.Components{}
	for _, s := range systems {
		for _, p := range s.Parts {
			parts[p.Name] = component.Role(p.Role)
		}
	}
	return parts
}

// HasReal reports whether any part of any variant is real.
func (b *Backend) HasReal() bool { return b.hasReal }

// setFaults parses the faults of all variants.
func (b *Backend) setFaults() error {
	for i, v := range b.suite.Variants {
		if err := b.setFaultsOf(v); err != nil {
			return fmt.Errorf("%s: %w", faultsPath(i, v), err)
		}
	}
	for _, spec := range b.suite.Faults {
		if b.faults[spec] == nil && spec != eval.NoFault {
			return fmt.Errorf("faults: fault %q affects no variant: no variant uses that component", spec)
		}
	}
	return nil
}

// faultsPath returns the path of a variant's faults in the suite.
func faultsPath(i int, v suite.Variant) string {
	if v.Faults == nil {
		return "faults"
	}
	return fmt.Sprintf("variants[%d].faults", i)
}

// setFaultsOf parses a variant's faults. Faults cannot be injected into real endpoints.
func (b *Backend) setFaultsOf(v suite.Variant) error {
	for _, spec := range b.suite.VariantFaults(v) {
		if spec == eval.NoFault {
			continue
		}
		faults, err := ParseFaults(spec, b.suite.System())
		if err != nil {
			return err
		}
		for _, f := range faults {
			if b.IsReal(v, f.Part) {
				return fmt.Errorf("fault %q: %s is a real endpoint in variant %s, faults are injected into simulated ones", spec, f.Part, v.Name)
			}
			if f.Kind == fault.FallbackLabel && b.scripts[f.Part] != nil {
				return fmt.Errorf("fault %q: %s says what its script says, whatever the labels", spec, f.Part)
			}
		}
		b.faults[spec] = faults
	}
	return nil
}

// wiringOf derives the wiring of a variant.
func (b *Backend) wiringOf(v suite.Variant) (w wiring, err error) {
	w.endpoints, w.real = map[string]suite.Model{}, map[string]system.Endpoint{}
	for _, p := range b.suite.System().Parts {
		m := b.suite.ModelFor(v, p.Name)
		if w.endpoints[p.Name] = m; m.BaseURL != "" {
			link, err := realLink(m)
			if err != nil {
				return w, fmt.Errorf("variant %s: %s: %w", v.Name, p.Name, err)
			}
			// an external system may report any of the run's secrets
			if b.suite.System().IsExternal() && b.secrets != nil {
				link.Secrets = b.secrets
			}
			w.real[p.Name] = link
		}
	}
	if kind, ok := v.BaselineModel(); ok {
		w.baselineModel = b.baselineModels[kind]
	}
	if form := b.suite.System().AnswerFormat; form != nil {
		w.form = form(b.suite.Values(v))
	}
	w.corpora, err = b.corporaOf(v)
	return w, err
}

// corporaOf returns the corpora of the simulated retrieval services of a variant, by part. They are
// created once and shared by all trials.
func (b *Backend) corporaOf(v suite.Variant) (map[string]mocks.Corpus, error) {
	all := map[string]mocks.Corpus{}
	for _, p := range b.suite.System().Parts {
		if p.NewCorpus == nil || !b.suite.UsesComponent(v, p.Name) || b.IsReal(v, p.Name) {
			continue
		}
		corpus, err := b.corpusOf(p, b.suite.OpenSettings(v))
		if err != nil {
			return nil, fmt.Errorf("variant %s: what %s searches: %w", v.Name, p.Name, err)
		}
		all[p.Name] = corpus
	}
	return all, nil
}

// corpusOf returns the corpus of a part with the given settings.
func (b *Backend) corpusOf(p system.Component, v system.Values) (mocks.Corpus, error) {
	id := p.Name
	for _, name := range slices.Sorted(maps.Keys(v)) {
		if p.CorpusSettings == nil || slices.Contains(p.CorpusSettings, name) {
			id += fmt.Sprintf(" %q=%q", name, v[name])
		}
	}
	if b.corpora[id] == nil {
		created, err := p.NewCorpus(v)
		if err != nil {
			return nil, err
		}
		b.corpora[id] = corpus{created}
	}
	return b.corpora[id], nil
}

// callOf describes the calls of a real part.
func (b *Backend) callOf(t eval.Trial, variant, name string) Call {
	part, _ := b.labels.system.Part(name)
	c := Call{
		Trial:   t,
		Variant: variant,
		Part:    name,
		Node:    part.NodeName(),
		Origin:  b.wirings[variant].endpoints[name],
	}
	if t.RescoredTurn > 0 {
		c.Node = ""
	}
	return c
}

// mockLink returns an endpoint of the trial's own mocks.
func (b *Backend) mockLink(server *mocks.Server, name string) system.Endpoint {
	part, _ := b.labels.system.Part(name)
	simulated := b.suite.Models[name]
	p, modelName := llm.SplitModel(simulated.Model)
	link := system.Endpoint{
		Provider:   p.Name,
		Model:      modelName,
		APIKey:     "mock",
		BeforeCall: localCall(server, name),
		HTTP:       &http.Client{Transport: transport.Transport{Handler: server.ForComponent(name)}},
		AsyncTasks: simulated.TaskDuration > 0 && !b.hasReal,
		NoDelay:    b.hasReal,
	}
	switch {
	case p.BaseURL == "" && !part.Role.NeedsModel():
		link.Provider = "" // the client's own API, with its default model
	case p.BaseURL == "":
		link.Provider, link.Model = "openai", cmp.Or(modelName, "simulated")
	}
	return link
}

// baselineModelLink returns an endpoint of a baseline model, without latency and faults.
func (b *Backend) baselineModelLink(t eval.Trial, w wiring, turns *caseTurns) system.Endpoint {
	name := b.suite.System().DecidingComponent().Name
	_, learned := llm.SplitModel(w.endpoints[name].Model)
	answers := learnedDecider{
		baselineModel: w.baselineModel,
		labels:        b.labels,
		form:          w.form,
		turns:         turns,
	}
	server, err := mocks.New(mocks.Config{Parts: b.parts, Seed: t.TrialSeed(), Model: answers})
	if err != nil {
		panic(err) // cannot happen: New has checked the parts
	}
	return system.Endpoint{
		Provider: llm.Baseline,
		Model:    learned,
		BaseURL:  "http://floor.invalid/v1",
		APIKey:   "none",
		NoDelay:  b.hasReal,
		HTTP:     &http.Client{Transport: transport.Transport{Handler: server.ForComponent(name)}},
	}
}

// IsReal reports whether a part of a variant is a real endpoint.
func (b *Backend) IsReal(v suite.Variant, part string) bool {
	return b.suite.ModelFor(v, part).BaseURL != ""
}

// Endpoint returns the provider and address of a real part; empty: simulated.
func (b *Backend) Endpoint(v suite.Variant, part string) string {
	m := b.suite.ModelFor(v, part)
	if m.BaseURL == "" {
		return ""
	}
	name := part
	if m.Model != "" {
		p, _ := llm.SplitModel(m.Model)
		name = p.Name
	}
	return name + " at " + secret.RedactURL(m.BaseURL)
}

// server returns a trial's own mock of all providers. If any part is real, the simulated ones have
// no latency, because it would only cost real time.
func (b *Backend) server(t eval.Trial, w wiring, turns *caseTurns) (*mocks.Server, error) {
	cfg := mocks.Config{
		Parts:   b.parts,
		Seed:    t.TrialSeed(),
		Faults:  b.faults[t.Condition.Fault],
		Model:   b.models(t, turns, w.form),
		Corpora: w.corpora,
		OnFault: emitFaultEvent,
		Locate:  placeIn(t),
	}
	if !b.hasReal {
		cfg.Latency = b.latency
		cfg.Images = mocks.ImageConfig{Running: b.taskTime()}
	}
	return mocks.New(cfg)
}

// emitFaultEvent records a triggered fault in the trace of the turn, unless the caller has been
// canceled.
func emitFaultEvent(ctx context.Context, part string, kind fault.Kind) {
	if ctx.Err() == nil {
		trace.Emit(ctx, trace.Event{Kind: trace.KindFault, Node: part, Reason: string(kind)})
	}
}

// mustServer is server without an error, because New has checked the settings.
func (b *Backend) mustServer(t eval.Trial, w wiring, turns *caseTurns) *mocks.Server {
	server, err := b.server(t, w, turns)
	if err != nil {
		panic(err)
	}
	return server
}

// localCall returns a function that applies the mock's latency and faults to a part inside the
// process. Its errors are those of an external call.
func localCall(server *mocks.Server, part string) func(context.Context) error {
	return func(ctx context.Context) error {
		err := server.CallLocal(ctx, part)
		var faultErr *fault.Error
		switch {
		case !errors.As(err, &faultErr):
			return err
		case faultErr.Kind == fault.Reset:
			return &llm.Error{Kind: llm.KindReset, Message: faultErr.Error()}
		case faultErr.Kind == fault.ContentBlocked:
			return &llm.Error{Kind: llm.KindContentBlocked, Status: faultErr.Status, Message: faultErr.Error()}
		}
		return llm.NewResponseError(llm.Provider{Name: llm.Generic}, faultErr.Status, string(faultErr.Kind),
			"", faultErr.Error())
	}
}
