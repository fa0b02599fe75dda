package main

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"evalctl/agent/llm"
	"evalctl/eval/suggest"
	"evalctl/eval/suite"
	"evalctl/mocks/backend"
)

// endpointFlags say where the real models are that --model names, and where
// their key is.
type endpointFlags struct{ baseURL, keyEnv string }

// wantsModel refuses an endpoint without a model.
func (f endpointFlags) wantsModel(given bool) error {
	if !given && f != (endpointFlags{}) {
		return errors.New("--model: is missing beside --base-url or --api-key-env")
	}
	return nil
}

// checkFlags finds bad values while the flag that holds them is known.
func (f endpointFlags) checkFlags() error {
	if f.baseURL != "" {
		if err := backend.CheckURL(f.baseURL); err != nil {
			return flagError("base-url", err)
		}
	}
	if f.keyEnv != "" {
		if err := backend.CheckKey(f.keyEnv); err != nil {
			return flagError("api-key-env", err)
		}
	}
	return nil
}

// withModel has a variant's chat models reached for real: at --base-url, or
// at the address of the provider that stands before the name, with its key.
func (f endpointFlags) withModel(v suite.Variant, model string) (suite.Variant, error) {
	p, _ := llm.SplitModel(model)
	if f.baseURL == "" && p.BaseURL == "" {
		return v, missingProvider(model)
	}
	v.Model, v.BaseURL, v.KeyEnv = model, cmp.Or(f.baseURL, p.BaseURL), f.keyEnv
	if f.baseURL == "" {
		v.KeyEnv = cmp.Or(f.keyEnv, p.KeyEnv)
	}
	if v.KeyEnv != "" {
		return v, backend.CheckKey(v.KeyEnv)
	}
	return v, nil
}

func missingProvider(model string) error {
	if provider, _, ok := strings.Cut(model, ":"); ok {
		return fmt.Errorf("%s needs --base-url: %w", model, suggest.Unknown("provider", provider, hosted()))
	}
	return fmt.Errorf("%s needs --base-url, or a provider before it, as in deepseek:%s", model, model)
}

// hosted are the providers whose address is known.
func hosted() (names []string) {
	for _, p := range llm.Providers() {
		if p.BaseURL != "" {
			names = append(names, p.Name)
		}
	}
	return names
}
