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

// endpointList collects, without duplicates, the external services that evalctl doctor checks.
type endpointList struct {
	models       []doctor.Endpoint
	unchecked    []string // services that have no cheap call to check them
	stores       []string // addresses of caches
	requiredKeys map[string]string
	secrets      *secret.Set
}

// checkEndpoints checks the API keys, endpoints and caches of the suites. If no suite is given it
// checks the providers whose keys are set.
func (f *doctorFlags) checkEndpoints(ctx context.Context, suites []suite.Suite,
	isSuiteGiven bool) (list []doctor.Finding) {
	p := endpointList{requiredKeys: f.requiredKeys(), secrets: f.secrets}
	for _, s := range suites {
		p.addSuite(s)
	}
	if !isSuiteGiven {
		p.addProviders()
	}
	list = p.keys()
	probe := doctor.Probe{HTTP: f.endpoints().Client(), Timeout: f.endpointTimeout, Now: time.Now}
	for _, e := range p.models {
		if f.offline {
			list = append(list, doctor.SkippedOffline("endpoint", secret.RedactURL(e.BaseURL)))
			continue
		}
		if e.KeyVariable != "" && e.Key == "" {
			list = append(list, doctor.SkippedWithoutKey(secret.RedactURL(e.BaseURL), e.KeyVariable))
			continue
		}
		list = append(list, probe.Check(ctx, e)...)
	}
	for _, address := range p.unchecked {
		list = append(list, doctor.SkippedPaidService(secret.Mask(address)))
	}
	for _, address := range p.stores {
		if f.offline {
			list = append(list, doctor.SkippedOffline("cache", secret.RedactURL(address)))
			continue
		}
		list = append(list, doctor.CheckCache(secret.RedactURL(address),
			func() error { return pingStore(ctx, address) }))
	}
	return list
}

// requiredKeys maps the environment variables that the models of --model require to the names of
// their providers.
func (f *doctorFlags) requiredKeys() map[string]string {
	wanted := map[string]string{}
	for _, model := range f.models {
		p, _ := llm.ParseModel(model)
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

func (p *endpointList) addSuite(s suite.Suite) {
	for _, v := range s.Variants {
		if v.BaseURL != "" {
			p.addModel(v.Model, v.BaseURL, v.KeyEnv)
		}
		for _, e := range s.SettingElements(v) {
			switch {
			case e.Kind != system.ElementURL:
			case cache.CheckRedisURL(e.Text) == nil:
				p.stores = appendUnique(p.stores, e.Text)
			default:
				p.unchecked = appendUnique(p.unchecked, e.Text)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(s.Models)) {
		m := s.Models[name]
		part, _ := s.System().Component(name)
		switch {
		case m.BaseURL == "":
		case slices.Contains([]system.Role{system.RoleImage, system.RoleRetrieval, system.RoleSearchEngine}, part.Role):
			p.unchecked = appendUnique(p.unchecked, m.BaseURL)
			p.requireKey(m.APIKeyEnv, m.Model)
		default:
			p.addModel(m.Model, m.BaseURL, m.APIKeyEnv)
		}
	}
}

func (p *endpointList) requireKey(variable, model string) {
	if variable != "" {
		of, _ := llm.ParseModel(model)
		p.requiredKeys[variable] = of.Name
	}
}

func (p *endpointList) addModel(model, base, variable string) {
	p.requireKey(variable, model)
	of, name := llm.ParseModel(model)
	e := doctor.Endpoint{
		BaseURL:     base,
		KeyVariable: variable,
		Key:         strings.TrimSpace(os.Getenv(variable)),
		Model:       name,
	}
	if of.UsesMaxCompletionTokens {
		e.TokenLimitField = "max_completion_tokens"
	}
	for _, name := range secret.EnvReferences(base) {
		if p.requireKey(name, model); os.Getenv(name) == "" {
			e.KeyVariable, e.Key = name, "" // reported as a missing key; the endpoint is not contacted
		}
	}
	p.secrets.Add(e.Key)
	p.secrets.AddFromURL(base)
	if expanded, err := p.secrets.ExpandEnvInURL(base); err == nil {
		e.BaseURL = expanded
	}
	p.models = appendUnique(p.models, e)
}

func (p *endpointList) addProviders() {
	for _, of := range llm.Providers() {
		if of.BaseURL != "" && of.ServiceKind == "" && strings.TrimSpace(os.Getenv(of.KeyEnv)) != "" {
			wanted := maps.Clone(p.requiredKeys)
			p.addModel(of.Name+":", of.BaseURL, of.KeyEnv)
			p.requiredKeys = wanted // addModel required this key, but no suite requires it
		}
	}
}

// keys checks the API keys that are required, and the usual keys of all providers.
func (p *endpointList) keys() (list []doctor.Finding) {
	check := func(variable, provider string, wanted bool) {
		value, set := os.LookupEnv(variable)
		p.secrets.Add(value)
		list = append(list, doctor.APIKeyVariable{
			Name:     variable,
			Provider: provider,
			Required: wanted,
			Value:    value,
			IsSet:    set,
		}.Check())
	}
	for _, variable := range slices.Sorted(maps.Keys(p.requiredKeys)) {
		provider := p.requiredKeys[variable]
		if provider == llm.GenericProvider {
			provider = ""
		}
		check(variable, provider, true)
	}
	for _, of := range llm.Providers() {
		if _, known := p.requiredKeys[of.KeyEnv]; of.KeyEnv != "" && !known {
			check(of.KeyEnv, of.Name, false)
		}
	}
	return list
}

// pingStore checks the connection to a cache by reading a nonexistent key.
func pingStore(ctx context.Context, address string) error {
	address, err := new(secret.Set).ExpandEnvInURL(address)
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

func appendUnique[T comparable](list []T, one T) []T {
	if slices.Contains(list, one) {
		return list
	}
	return append(list, one)
}
