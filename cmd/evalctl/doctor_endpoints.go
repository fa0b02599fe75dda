package main

import (
	"cmp"
	"context"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"evalctl/agent/cache"
	"evalctl/agent/llm"
	"evalctl/agent/secret"
	"evalctl/agent/system"
	"evalctl/cmd/evalctl/doctor"
	"evalctl/eval/suite"
)

// endpointList are what suites reach outside, each once.
type endpointList struct {
	models   []doctor.Endpoint
	unasked  []string // services that have no cheap call
	stores   []string // addresses of caches
	wanted   map[string]string
	secretly *secret.Set
}

// outward checks keys, endpoints and caches. Where nothing was asked for, the providers
// whose keys are set are.
func (f *doctorFlags) outward(ctx context.Context, suites []suite.Suite, asked bool) (list []doctor.Finding) {
	p := endpointList{wanted: f.wantedKeys(), secretly: f.secrets}
	for _, s := range suites {
		p.addSuite(s)
	}
	if !asked {
		p.addProviders()
	}
	list = p.keys()
	probe := doctor.Probe{HTTP: f.outside().Client(), Timeout: f.patience, Now: time.Now}
	for _, e := range p.models {
		if f.offline {
			list = append(list, doctor.Offline("endpoint", secret.RedactURL(e.BaseURL)))
			continue
		}
		if e.Variable != "" && e.Key == "" {
			list = append(list, doctor.MissingKey(secret.RedactURL(e.BaseURL), e.Variable))
			continue
		}
		list = append(list, probe.Check(ctx, e)...)
	}
	for _, address := range p.unasked {
		list = append(list, doctor.NotChecked(secret.Mask(address)))
	}
	for _, address := range p.stores {
		if f.offline {
			list = append(list, doctor.Offline("cache", secret.RedactURL(address)))
			continue
		}
		list = append(list, doctor.Store(secret.RedactURL(address), func() error { return askStore(ctx, address) }))
	}
	return list
}

// wantedKeys are the variables without which the flags' models are not reached, with
// their providers.
func (f *doctorFlags) wantedKeys() map[string]string {
	wanted := map[string]string{}
	for _, model := range f.models {
		p, _ := llm.SplitModel(model)
		variable := f.keyEnv
		if f.baseURL == "" {
			variable = cmp.Or(f.keyEnv, p.KeyEnv)
		}
		if variable != "" && !suite.IsBaselineModel(model) {
			wanted[variable] = p.Name
		}
	}
	return wanted
}

// addSuite takes what is real in a suite.
func (p *endpointList) addSuite(s suite.Suite) {
	for _, v := range s.Variants {
		if v.BaseURL != "" {
			p.addModel(v.Model, v.BaseURL, v.KeyEnv)
		}
		for _, e := range s.Elements(v) {
			switch {
			case e.Kind != system.URL:
			case cache.CheckRedis(e.Text) == nil:
				p.stores = withOne(p.stores, e.Text)
			default:
				p.unasked = withOne(p.unasked, e.Text)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(s.Models)) {
		m := s.Models[name]
		part, _ := s.System().Part(name)
		switch {
		case m.BaseURL == "":
		case slices.Contains([]system.Role{system.RoleImage, system.RoleRetrieval, system.RoleSearchEngine}, part.Role):
			p.unasked = withOne(p.unasked, m.BaseURL)
			p.want(m.APIKeyEnv, m.Model)
		default:
			p.addModel(m.Model, m.BaseURL, m.APIKeyEnv)
		}
	}
}

func (p *endpointList) want(variable, model string) {
	if variable != "" {
		of, _ := llm.SplitModel(model)
		p.wanted[variable] = of.Name
	}
}

func (p *endpointList) addModel(model, base, variable string) {
	p.want(variable, model)
	of, name := llm.SplitModel(model)
	e := doctor.Endpoint{BaseURL: base, Variable: variable, Key: strings.TrimSpace(os.Getenv(variable)), Model: name}
	if of.CompletionTokens {
		e.Limit = "max_completion_tokens"
	}
	for _, name := range secret.Variables(base) {
		if p.want(name, model); os.Getenv(name) == "" {
			e.Variable, e.Key = name, "" // it is reported, and the endpoint is not contacted
		}
	}
	p.secretly.Add(e.Key)
	p.secretly.AddURL(base)
	if expanded, err := p.secretly.ExpandURL(base); err == nil {
		e.BaseURL = expanded
	}
	p.models = withOne(p.models, e)
}

// addProviders takes the providers of models whose keys are set.
func (p *endpointList) addProviders() {
	for _, of := range llm.Providers() {
		if of.BaseURL != "" && of.Service == "" && strings.TrimSpace(os.Getenv(of.KeyEnv)) != "" {
			wanted := maps.Clone(p.wanted)
			p.addModel(of.Name+":", of.BaseURL, of.KeyEnv)
			p.wanted = wanted // nobody wants it yet
		}
	}
}

// keys checks those that are wanted, and those that providers usually have.
func (p *endpointList) keys() (list []doctor.Finding) {
	check := func(variable, provider string, wanted bool) {
		value, set := os.LookupEnv(variable)
		p.secretly.Add(value)
		list = append(list, doctor.Key{Variable: variable, Provider: provider, Required: wanted, Value: value, Set: set}.Check())
	}
	for _, variable := range slices.Sorted(maps.Keys(p.wanted)) {
		provider := p.wanted[variable]
		if provider == llm.Generic {
			provider = ""
		}
		check(variable, provider, true)
	}
	for _, of := range llm.Providers() {
		if _, known := p.wanted[of.KeyEnv]; of.KeyEnv != "" && !known {
			check(of.KeyEnv, of.Name, false)
		}
	}
	return list
}

// askStore looks for what is not there.
func askStore(ctx context.Context, address string) error {
	address, err := new(secret.Set).ExpandURL(address)
	if err != nil {
		return err
	}
	store, err := cache.NewRedis(cache.RedisConfig{URL: address})
	if err != nil {
		return err
	}
	_, err = store.GetAll(ctx, []string{"evalctl-doctor"})
	return cmp.Or(err, store.Close())
}

func withOne[T comparable](list []T, one T) []T {
	if slices.Contains(list, one) {
		return list
	}
	return append(list, one)
}
