package main

import (
	"cmp"
	"fmt"
	"os"
	"strings"

	"evalctl/agent/imagegen"
	"evalctl/agent/llm"
	"evalctl/agent/secret"
	"evalctl/agent/system"
	"evalctl/eval/suite"
	"evalctl/mocks/backend"
)

const realHelp = "real `COMPONENT=PROVIDER:NAME`, as in image=dashscope:qwen-image-max; NAME alone is a model at --base-url; of a service without models PROVIDER alone, as in search=tavily, or where it is, as in recall=http://127.0.0.1:9380 and search=bocha:http://127.0.0.1:8080; the key comes from the provider's usual variable"

// useEndpoint applies a value of --real to a suite: it connects a component to the usual address of
// a provider or to a given one. It returns an error if the variant does not use the component.
func (f *agentFlags) useEndpoint(s *suite.Suite, v *suite.Variant, text string) error {
	name, model, ok := strings.Cut(text, "=")
	part, has := s.System().Component(name)
	switch {
	case !ok || model == "":
		return fmt.Errorf("%q is not COMPONENT=PROVIDER:NAME, as in image=dashscope:qwen-image-max",
			secret.RedactURL(text))
	case !has:
		return nil // the component belongs to another agent
	}
	m, err := f.realModel(part, model)
	if err != nil {
		return fmt.Errorf("%s=%w", name, err)
	}
	s.Models[name] = m
	// Use the remote implementation unless the settings select one.
	for setting, value := range part.RemoteSettings {
		if v.Settings[setting] == "" {
			v.Settings[setting] = value
		}
	}
	if !s.UsesComponent(*v, name) || part.LocalImplementationFor(s.SettingValues(*v)) != "" {
		return fmt.Errorf("%s: %s makes no use of it with these settings", text, s.Target)
	}
	return nil
}

// realModel returns the endpoint of a component from text, the part of a --real value after the
// equals sign.
func (f *agentFlags) realModel(part system.Component, text string) (m suite.Model, err error) {
	if m, ok, err := realService(part, text); ok || err != nil {
		return m, err
	}
	p, name := llm.ParseModel(text)
	switch err := suite.CheckService(text, part); {
	case err == nil && p.BaseURL == "" && p.ServiceKind == "" && f.baseURL != "" && part.Role != system.RoleImage:
		return suite.Model{Model: text, BaseURL: f.baseURL, APIKeyEnv: f.keyEnv}, nil
	case err != nil:
		return m, fmt.Errorf("%s: %w", text, err)
	case name == "" && p.ServiceKind == "":
		return m, fmt.Errorf("%s: is not PROVIDER:NAME", text)
	case p.BaseURL == "" && p.ServiceKind != "":
		return m, fmt.Errorf("%s: requires a URL, as in %s:http://127.0.0.1:9380", text, p.Name)
	case p.BaseURL == "":
		return m, fmt.Errorf("%s: %w", text, missingProvider(text))
	}
	m = suite.Model{Model: text, BaseURL: p.BaseURL, APIKeyEnv: p.KeyEnv}
	if part.Role == system.RoleImage {
		m.BaseURL = imagegen.DefaultBaseURL
	}
	return m, nil
}

// realService parses the address of a service without models, such as a search: PROVIDER:URL, or
// URL if only one provider has such a service. ok is false if text is not an address. The key, if
// any, is in the provider's environment variable.
func realService(part system.Component, text string) (m suite.Model, ok bool, err error) {
	if !strings.Contains(text, "://") {
		return m, false, nil
	}
	known := suite.ServiceProviders(part.Role)
	p, at := llm.ParseModel(text)
	if p.ServiceKind == "" && len(known) == 1 {
		p, _ = llm.LookupProvider(known[0])
	}
	shown := secret.RedactURL(text)
	switch {
	case known == nil:
		return m, true, fmt.Errorf("%s: %s has a model, not an address: --model and --base-url say where models are",
			shown, part.Name)
	case p.ServiceKind == "":
		return m, true, fmt.Errorf("%s: requires the service before the URL: %s:%s", shown,
			strings.Join(known, " or "), "URL")
	}
	if err := cmp.Or(suite.CheckService(p.Name, part), backend.CheckEndpointURL(at)); err != nil {
		return m, true, fmt.Errorf("%s: %w", shown, err)
	}
	m = suite.Model{Model: p.Name, BaseURL: at}
	if os.Getenv(p.KeyEnv) != "" {
		m.APIKeyEnv = p.KeyEnv
	}
	return m, true, nil
}
