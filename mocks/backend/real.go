package backend

import (
	"cmp"
	"net/url"
	"os"

	"evalctl/agent/llm"
	"evalctl/agent/secret"
	"evalctl/agent/system"
	"evalctl/eval/suite"
)

// realLink is the link to an endpoint, without the way there. One that wants no key gets a
// word in its place: the wire format asks for one. A password in the address goes in its
// place, too.
func realLink(m suite.Model) system.Link {
	p, modelName := llm.SplitModel(m.Model)
	key := "none"
	switch u, err := url.Parse(m.BaseURL); {
	case m.KeyEnv != "":
		key = cmp.Or(os.Getenv(m.KeyEnv), key)
	case err == nil && u.User != nil:
		key = ""
	}
	return system.Link{Provider: p.Name, Model: modelName, BaseURL: m.BaseURL, APIKey: key, Secrets: secret.Of(key, m.BaseURL),
		Tasks: m.Task > 0, Instant: true}
}
