package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"evalctl/agent/llm"
	"evalctl/eval/suite"
)

// variants crosses the suite's variants, or those that --router names, with
// the other axes. A variant that asks no model is not multiplied. Where an
// axis has several values, the name tells which.
func (f *runFlags) variants(list []suite.Variant) ([]suite.Variant, error) {
	if f.models == nil && (f.baseURL != "" || f.keyEnv != "") {
		return nil, errors.New("--model: is missing beside --base-url or --api-key-env")
	}
	if f.routers != nil {
		list = nil
		for _, r := range f.routers {
			list = append(list, suite.Variant{Name: r, Router: r})
		}
	}
	list, err := cross(list, f.prompts, withPrompt)
	if err != nil {
		return nil, flagError("prompt", err)
	}
	if list, err = cross(list, f.models, f.withModel); err != nil {
		return nil, err
	}
	return cross(list, f.thresholds, func(v *suite.Variant, t float64) (string, error) {
		v.Threshold = &t
		return fmt.Sprintf("threshold=%v", t), nil
	})
}

// cross sets each value of an axis on each variant that asks a model.
func cross[T any](list []suite.Variant, values []T, set func(*suite.Variant, T) (string, error)) ([]suite.Variant, error) {
	if len(values) == 0 {
		return list, nil
	}
	var out []suite.Variant
	for _, v := range list {
		if v.Router == "rules" {
			out = append(out, v)
			continue
		}
		for _, value := range values {
			one := v
			name, err := set(&one, value)
			if err != nil {
				return nil, err
			}
			if len(values) > 1 {
				one.Name += " " + name
			}
			out = append(out, one)
		}
	}
	return out, nil
}

func withPrompt(v *suite.Variant, file string) (string, error) {
	path, err := filepath.Abs(file)
	if err != nil {
		return "", err
	}
	v.Prompt = path
	_, err = llm.LoadPromptFile(path)
	return "prompt=" + filepath.Base(file), err
}

// withModel has a variant's chat models reached for real: at --base-url, or
// at the address of the provider that stands before the name, with its key.
func (f *runFlags) withModel(v *suite.Variant, model string) (string, error) {
	p, _ := splitModel(model)
	if f.baseURL == "" && p.BaseURL == "" {
		return "", fmt.Errorf("--model: %s needs --base-url, or a provider before it, as in deepseek:%s", model, model)
	}
	v.Model, v.BaseURL, v.KeyEnv = model, cmp.Or(f.baseURL, p.BaseURL), f.keyEnv
	if f.baseURL == "" {
		v.KeyEnv = cmp.Or(f.keyEnv, p.KeyEnv)
	}
	if v.KeyEnv != "" && os.Getenv(v.KeyEnv) == "" {
		return "", fmt.Errorf("--api-key-env: the environment has no %s", v.KeyEnv)
	}
	return "model=" + model, nil
}

// splitModel reads NAME or PROVIDER:NAME.
func splitModel(model string) (llm.Provider, string) {
	provider, name, ok := strings.Cut(model, ":")
	if p, known := llm.Lookup(provider); ok && known {
		return p, name
	}
	p, _ := llm.Lookup(llm.Generic)
	return p, model
}
