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

// realEndpoint returns the endpoint of a real model, without its HTTP client. Environment variables
// in the URL are expanded. If the suite configures no API key, the key is a placeholder, because
// clients require one; with a password in the URL it is empty.
func realEndpoint(m suite.Model) (system.Endpoint, error) {
	secrets := &secret.Set{}
	if CheckEndpointURL(m.BaseURL) == nil { // otherwise it is a command, whose variables are expanded where it runs
		var err error
		if m.BaseURL, err = secrets.ExpandEnvInURL(m.BaseURL); err != nil {
			return system.Endpoint{}, err
		}
	}
	p, modelName := llm.ParseModel(m.Model)
	key := "none"
	switch u, err := url.Parse(m.BaseURL); {
	case m.APIKeyEnv != "":
		key = cmp.Or(os.Getenv(m.APIKeyEnv), key)
	case err == nil && u.User != nil:
		key = ""
	}
	secrets.Add(key)
	secrets.AddFromURL(m.BaseURL)
	return system.Endpoint{
		Provider:   p.Name,
		Model:      modelName,
		BaseURL:    m.BaseURL,
		APIKey:     key,
		Secrets:    secrets,
		AsyncTasks: m.TaskDuration > 0,
		NoDelay:    true,
	}, nil
}
