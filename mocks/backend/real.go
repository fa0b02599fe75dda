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
// place, too. The address has the values of the variables that it refers to.
func realLink(m suite.Model) (system.Endpoint, error) {
	secrets := &secret.Set{}
	if CheckURL(m.BaseURL) == nil { // else it is a command, which is expanded where it is run
		var err error
		if m.BaseURL, err = secrets.ExpandURL(m.BaseURL); err != nil {
			return system.Endpoint{}, err
		}
	}
	p, modelName := llm.SplitModel(m.Model)
	key := "none"
	switch u, err := url.Parse(m.BaseURL); {
	case m.APIKeyEnv != "":
		key = cmp.Or(os.Getenv(m.APIKeyEnv), key)
	case err == nil && u.User != nil:
		key = ""
	}
	secrets.Add(key)
	secrets.AddURL(m.BaseURL)
	return system.Endpoint{Provider: p.Name, Model: modelName, BaseURL: m.BaseURL, APIKey: key, Secrets: secrets,
		AsyncTasks: m.TaskDuration > 0, NoDelay: true}, nil
}
