// Package backend provides every component of an agent in a trial (router, search, image …) with an
// endpoint: a real one over HTTP, or a simulation that answers from the labels of the cases. It is
// the only package that combines mocks, labels and suites.
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

// Config is the configuration of a Backend.
type Config struct {
	Suite       suite.Suite       // its variants have one target
	DatasetInfo suite.DatasetInfo // labels, examples and training texts of the dataset
	HTTP        *http.Client      // the client for calls of real endpoints
	// wraps calls of real endpoints, for example to record them; the first one is the outermost
	Middleware []Middleware
	// receives the keys and passwords of real endpoints, for redaction; may be nil
	Secrets                    *secret.Set
	IsReplay                   bool // real endpoints are replayed from recordings, so no API key is needed
	OtherTargetHasRealEndpoint bool // another target of the run's suite has a real endpoint
	// texts that occur in no case are decided by the system's heuristic (word rules), as in a chat
	// with a user. Simulated deciders then always follow it, with the confidences of their
	// calibration.
	AllowUnknownTexts bool

	// number of cases that require the conversation history (tag eval.NeedsHistoryTag); 0: there are
	// none
	CasesNeedingHistory int64

	// Cases are the cases of the dataset, or a sample of them. They are used to find misleading
	// texts: those whose words suggest a wrong label. Simulated models get these wrong more often.
	// If Cases is nil, the difficulty of a case does not depend on its words.
	Cases iter.Seq2[eval.Case, error]
}

// Backend returns the endpoints for the trials of a suite. Real components are called over HTTP.
// Each trial has its own simulation of all other components.
type Backend struct {
	suite          suite.Suite
	http           *http.Client
	middleware     []Middleware
	secrets        *secret.Set
	isReplay       bool
	hasReal        bool // at least one component of at least one variant has a real endpoint: trials run in real time
	parts          component.Components
	latency        map[string]latency.Latency // simulated latency by component
	faults         map[string][]fault.Fault   // parsed faults by fault spec, such as router:timeout
	scripts        map[string]model.Model
	labels         labels
	baselineModels map[floor.Kind]floor.Model
	wirings        map[string]wiring // by variant name

	corpora   map[string]mocks.Corpus // document collections of simulated retrieval, by component and settings
	abilities map[string]ability      // quality of simulated models, by component
	// used by simulated models that are not shown the conversation history: no label is known, so
	// all decisions come from the heuristic
	labelsWithoutHistory labels
	needHistory          int64
	allowUnknownTexts    bool
}

// wiring contains what answers the calls of a variant's components. It is derived from the
// variant's settings.
type wiring struct {
	endpoints     map[string]suite.Model     // configured models, by component
	real          map[string]system.Endpoint // endpoints of the real components, by component; without HTTP client
	form          system.AnswerFormat
	baselineModel floor.Model             // the baseline model that makes the decisions; nil: none
	corpora       map[string]mocks.Corpus // document collections by component
}

// New returns a Backend. Its error reports invalid models, endpoints or faults of the suite.
func New(cfg Config) (*Backend, error) {
	of := cfg.Suite.System()
	b := &Backend{
		suite:          cfg.Suite,
		http:           cfg.HTTP,
		middleware:     cfg.Middleware,
		secrets:        cfg.Secrets,
		isReplay:       cfg.IsReplay,
		hasReal:        cfg.OtherTargetHasRealEndpoint,
		labels:         labels{system: of, all: of.Contract.Labels, oos: cfg.Suite.OOSLabel},
		parts:          ComponentsOf(of),
		latency:        map[string]latency.Latency{},
		faults:         map[string][]fault.Fault{},
		scripts:        map[string]model.Model{},
		baselineModels: map[floor.Kind]floor.Model{},
		wirings:        map[string]wiring{},
		corpora:        map[string]mocks.Corpus{},
		abilities:      map[string]ability{},
		needHistory:    cfg.CasesNeedingHistory,

		allowUnknownTexts: cfg.AllowUnknownTexts,
	}
	for _, l := range cfg.DatasetInfo.Labels {
		b.labels.all = append(b.labels.all, l.Name)
	}
	b.labelsWithoutHistory = b.labels
	if (cfg.AllowUnknownTexts || cfg.CasesNeedingHistory > 0 || cfg.Cases != nil) && of.NewRuleDecider != nil {
		guess, err := of.NewRuleDecider(system.Options{Labels: cfg.DatasetInfo.Labels,
			Examples: cfg.DatasetInfo.Examples})
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
	if err := b.train(cfg.DatasetInfo.TrainingSet); err != nil {
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
	// reports invalid settings before the run, by creating the simulation once
	_, err := b.server(eval.Trial{Condition: &eval.Condition{}}, wiring{}, turnsOf(eval.Case{}))
	return b, err
}

// ComponentsOf returns the components of the given systems with their roles.
func ComponentsOf(systems ...system.System) component.Components {
	parts := component.Components{}
	for _, s := range systems {
		for _, p := range s.Components {
			parts[p.Name] = component.Role(p.Role)
		}
	}
	return parts
}

// OtherTargetHasRealEndpoint reports whether any component of any variant has a real endpoint.
func (b *Backend) HasRealEndpoint() bool { return b.hasReal }

// setFaults parses the fault specs of all variants.
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

// faultsPath returns where the suite file defines a variant's faults, for messages.
func faultsPath(i int, v suite.Variant) string {
	if v.Faults == nil {
		return "faults"
	}
	return fmt.Sprintf("variants[%d].faults", i)
}

// setFaultsOf parses the fault specs of a variant. A fault for a component with a real endpoint is
// an error.
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
			if b.suite.UsesRealEndpoint(v, f.Component) {
				return fmt.Errorf("fault %q: %s is a real endpoint in variant %s, faults are injected into simulated ones", spec, f.Component, v.Name)
			}
			if f.Kind == fault.FallbackLabel && b.scripts[f.Component] != nil {
				return fmt.Errorf("fault %q: %s says what its script says, whatever the labels", spec, f.Component)
			}
		}
		b.faults[spec] = faults
	}
	return nil
}

// wiringOf derives from a variant's settings how its components are answered.
func (b *Backend) wiringOf(v suite.Variant) (w wiring, err error) {
	w.endpoints, w.real = map[string]suite.Model{}, map[string]system.Endpoint{}
	for _, p := range b.suite.System().Components {
		m := b.suite.ModelFor(v, p.Name)
		if w.endpoints[p.Name] = m; m.BaseURL != "" {
			link, err := realEndpoint(m)
			if err != nil {
				return w, fmt.Errorf("variant %s: %s: %w", v.Name, p.Name, err)
			}
			// an external system may print any of the run's secrets, so all are redacted
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
		w.form = form(b.suite.SettingValues(v))
	}
	w.corpora, err = b.corporaOf(v)
	return w, err
}

// corporaOf returns the document collections for the simulated retrieval components of a variant,
// by component. All trials share them.
func (b *Backend) corporaOf(v suite.Variant) (map[string]mocks.Corpus, error) {
	all := map[string]mocks.Corpus{}
	for _, p := range b.suite.System().Components {
		if p.NewCorpus == nil || !b.suite.UsesComponent(v, p.Name) || b.suite.UsesRealEndpoint(v, p.Name) {
			continue
		}
		corpus, err := b.corpusOf(p, b.suite.ResolvedSettings(v))
		if err != nil {
			return nil, fmt.Errorf("variant %s: what %s searches: %w", v.Name, p.Name, err)
		}
		all[p.Name] = corpus
	}
	return all, nil
}

// corpusOf returns the document collection of a retrieval component for the given settings. It is
// created at first use.
func (b *Backend) corpusOf(p system.Component, v system.SettingValues) (mocks.Corpus, error) {
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

// callOf describes the calls of a real component, for middleware.
func (b *Backend) callOf(t eval.Trial, variant, name string) Call {
	part, _ := b.labels.system.Component(name)
	c := Call{
		Trial:     t,
		Variant:   variant,
		Component: name,
		Node:      part.NodeName(),
		Model:     b.wirings[variant].endpoints[name],
	}
	if t.RescoredTurn > 0 {
		c.Node = ""
	}
	return c
}

// mockEndpoint returns an endpoint that is answered by the trial's own simulation.
func (b *Backend) mockEndpoint(server *mocks.Server, name string) system.Endpoint {
	part, _ := b.labels.system.Component(name)
	simulated := b.suite.Models[name]
	p, modelName := llm.ParseModel(simulated.Model)
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
	case p.BaseURL == "" && !part.Role.NeedsModelName():
		link.Provider = "" // the component's own API instead of a chat API, with its default model
	case p.BaseURL == "":
		link.Provider, link.Model = "openai", cmp.Or(modelName, "simulated")
	}
	return link
}

// baselineModelEndpoint returns an endpoint at which a baseline model makes the decisions. It has
// no latency and no faults.
func (b *Backend) baselineModelEndpoint(t eval.Trial, w wiring, turns *caseTurns) system.Endpoint {
	name := b.suite.System().DecidingComponent().Name
	_, learned := llm.ParseModel(w.endpoints[name].Model)
	answers := learnedDecider{
		baselineModel: w.baselineModel,
		labels:        b.labels,
		form:          w.form,
		turns:         turns,
	}
	server, err := mocks.New(mocks.Config{Components: b.parts, Seed: t.TrialSeed(), Model: answers})
	if err != nil {
		panic(err) // cannot happen, because New has checked the components
	}
	return system.Endpoint{
		Provider: llm.BaselineProvider,
		Model:    learned,
		BaseURL:  "http://floor.invalid/v1",
		APIKey:   "none",
		NoDelay:  b.hasReal,
		HTTP:     &http.Client{Transport: transport.Transport{Handler: server.ForComponent(name)}},
	}
}

// server returns the simulation of all providers for one trial. If any component is real, the
// simulated ones have no latency, because the trial runs in real time.
func (b *Backend) server(t eval.Trial, w wiring, turns *caseTurns) (*mocks.Server, error) {
	cfg := mocks.Config{
		Components:   b.parts,
		Seed:         t.TrialSeed(),
		Faults:       b.faults[t.Condition.Fault],
		Model:        b.models(t, turns, w.form),
		Corpora:      w.corpora,
		OnFault:      emitFaultEvent,
		CallPosition: positionsIn(t),
	}
	if !b.hasReal {
		cfg.Latency = b.latency
		cfg.Images = mocks.ImageConfig{Running: b.taskTime()}
	}
	return mocks.New(cfg)
}

// emitFaultEvent records a triggered fault in the trace of the turn, unless the caller has been
// canceled meanwhile.
func emitFaultEvent(ctx context.Context, part string, kind fault.Kind) {
	if ctx.Err() == nil {
		trace.Emit(ctx, trace.Event{Kind: trace.KindFault, Node: part, Reason: string(kind)})
	}
}

// mustServer is like server but panics on an error, because New has already checked the settings.
func (b *Backend) mustServer(t eval.Trial, w wiring, turns *caseTurns) *mocks.Server {
	server, err := b.server(t, w, turns)
	if err != nil {
		panic(err)
	}
	return server
}

// localCall returns a function that simulates a call of a component inside the process, such as a
// store: it applies latency and faults. A fault is returned as the error that an external call
// would give.
func localCall(server *mocks.Server, part string) func(context.Context) error {
	return func(ctx context.Context) error {
		err := server.SimulateLocalCall(ctx, part)
		var faultErr *fault.Error
		switch {
		case !errors.As(err, &faultErr):
			return err
		case faultErr.Kind == fault.Reset:
			return &llm.Error{Kind: llm.KindConnectionReset, Message: faultErr.Error()}
		case faultErr.Kind == fault.ContentBlocked:
			return &llm.Error{Kind: llm.KindContentBlocked, Status: faultErr.Status, Message: faultErr.Error()}
		}
		return llm.NewResponseError(llm.Provider{Name: llm.GenericProvider}, faultErr.Status, string(faultErr.Kind),
			"", faultErr.Error())
	}
}
