package main

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"evalctl/agent/llm"
	"evalctl/agent/outbound"
	"evalctl/agent/secret"
	"evalctl/agent/system"
	"evalctl/cmd/evalctl/play"
	"evalctl/eval/suggest"
	"evalctl/eval/suite"
	"evalctl/mocks/backend"
)

// endpointFlags are the flags that configure the endpoint of real models: address, API key and
// response limit.
type endpointFlags struct {
	baseURL, keyEnv string
	maxResponse     int64
	secrets         *secret.Set
	skipKeyCheck    bool // do not check that the key is set
}

func (f *endpointFlags) register(flags *pflag.FlagSet) {
	flags.StringVar(&f.baseURL, "base-url", "",
		"OpenAI-compatible `URL` of the model; $VARIABLE inserts an environment variable")
	flags.StringVar(&f.keyEnv, "api-key-env", "", "environment `VARIABLE` that holds the API key")
	flags.Int64Var(&f.maxResponse, "max-response-bytes", 0,
		"limit of one decompressed response in `BYTES`, up to 67108864 (default 8388608)")
}

func (f endpointFlags) endpoints() play.EndpointOptions {
	return play.EndpointOptions{Secrets: f.secrets, MaxResponseBytes: f.maxResponse, BaseURL: f.baseURL}
}

// requireModel returns an error if --base-url or --api-key-env is given without a real model.
func (f endpointFlags) requireModel(models []string) error {
	switch {
	case f.baseURL == "" && f.keyEnv == "":
		return nil
	case len(models) == 0:
		return errors.New("--model: is required with --base-url or --api-key-env")
	case !slices.ContainsFunc(models, func(m string) bool { return !suite.IsBaselineModel(m) }):
		return fmt.Errorf("--model: %s runs inside evalctl: it cannot be combined with --base-url or --api-key-env",
			suggest.JoinWords(models))
	}
	return nil
}

// checkFlags validates the flags of real endpoints, so that an error names the flag.
func (f endpointFlags) checkFlags() error {
	if f.baseURL != "" {
		if err := backend.CheckEndpointURL(f.baseURL); err != nil {
			return flagError("base-url", err)
		}
	}
	if err := cmp.Or(atLeast(0, f.maxResponse), atMost(outbound.MaxResponseBytesLimit, f.maxResponse)); err != nil {
		return flagError("max-response-bytes", err)
	}
	if f.keyEnv != "" && !f.skipKeyCheck {
		if err := backend.CheckKeyVariable(f.keyEnv); err != nil {
			return flagError("api-key-env", err)
		}
	}
	return nil
}

// withModel returns the variant with a chat model at a real endpoint: --base-url, or the provider
// before the name. A baseline model runs inside evalctl and has no endpoint.
func (f endpointFlags) withModel(v suite.Variant, model string) (suite.Variant, error) {
	if suite.IsBaselineModel(model) {
		v.Model = model
		v.BaseURL = ""
		v.KeyEnv = ""
		return v, nil
	}
	if err := suite.CheckService(model, system.Component{}); err != nil {
		return v, err
	}
	p, _ := llm.ParseModel(model)
	if f.baseURL == "" && p.BaseURL == "" {
		return v, missingProvider(model)
	}
	v.Model, v.BaseURL, v.KeyEnv = model, cmp.Or(f.baseURL, p.BaseURL), f.keyEnv
	if f.baseURL == "" {
		v.KeyEnv = cmp.Or(f.keyEnv, p.KeyEnv)
	}
	if v.KeyEnv != "" && !f.skipKeyCheck {
		return v, backend.CheckKeyVariable(v.KeyEnv)
	}
	return v, nil
}

func missingProvider(model string) error {
	if provider, _, ok := strings.Cut(model, ":"); ok {
		return fmt.Errorf("%s needs --base-url: %w", model,
			suggest.UnknownWordError("provider", provider, append(hostedProviders(), llm.BaselineProvider)))
	}
	if known := suite.BuiltinPrices().ProvidersOf(model); len(known) > 0 {
		return fmt.Errorf("%s needs a provider or --base-url: write %s:%s", model, known[0], model)
	}
	return fmt.Errorf("%s needs --base-url, or a provider before it, as in deepseek:%s", model, model)
}

func hostedProviders() (names []string) {
	for _, p := range llm.Providers() {
		if p.BaseURL != "" && p.ServiceKind == "" {
			names = append(names, p.Name)
		}
	}
	return names
}
