package scholar

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"evalctl/agent/clock"
	"evalctl/agent/llm"
	"evalctl/agent/outbound"
	"evalctl/agent/secret"
	"evalctl/agent/system"
)

// nodeOf contains, for each component with a chat model, its name in the trace and the time limit
// of one attempt (0: the default).
var nodeOf = map[string]struct {
	node    string
	timeout time.Duration
}{
	"router":        {intentNode, decisionTimeout},
	"sub_questions": {questionNode, questionTimeout},
	"summary":       {summaryNode, 0},
	"report":        {reportNode, 0},
	"answer":        {answerNode, 0},
	"chat":          {simpleNode, 0},
	"compression":   {compressionNode, 0},
	"grader":        {graderNode, 0},
}

// client returns a client for the model of a component. The request may select another model, API
// key, or allowed base URL.
func (r *run) client(part string) (*llm.Client, error) {
	return r.params.applyTo(r.EndpointOf(part)).
		NewClient(llm.Config{Node: nodeOf[part].node, Timeout: nodeOf[part].timeout, Seed: r.Seed})
}

// applyTo applies the request's parameters to an endpoint. If the request selects a base URL, the
// operator's API key is not sent there.
func (p params) applyTo(l system.Endpoint) system.Endpoint {
	if p.base != "" {
		l.Provider, l.BaseURL, l.APIKey, l.HTTP = llm.GenericProvider, p.base, "", externalHTTP{l.HTTP}
	}
	if p.key != "" {
		l.APIKey = p.key
	}
	if p.model != "" {
		l.Model = p.model
	}
	return l
}

// externalHTTP sends requests to a base URL that the request selected, even if the configured model
// is simulated. In simulated time it sends them to the simulated model instead.
type externalHTTP struct {
	simulated interface {
		Do(*http.Request) (*http.Response, error)
	}
}

func (o externalHTTP) Do(r *http.Request) (*http.Response, error) {
	if o.simulated != nil && clock.IsSimulated(r.Context()) {
		return o.simulated.Do(r)
	}
	return outbound.Default().Do(r)
}

// checkEndpoint returns a rejection if the request selects a base URL that the operator has not
// allowed. Otherwise a request could direct the agent to arbitrary hosts.
func (r *run) checkEndpoint() error {
	switch {
	case r.base == "":
		return nil
	case !slices.Contains(r.AllowedBaseURLs, strings.TrimRight(r.base, "/")):
		return newRejection(badOptions, "参数有误：openai_api_base 不在允许的地址之列。",
			"An option is wrong: openai_api_base is not one of the allowed addresses.")
	case r.key == "":
		return newRejection(badOptions, "参数有误：使用 openai_api_base 时必须同时给出 openai_api_key。",
			"An option is wrong: with openai_api_base comes an openai_api_key.")
	}
	return nil
}

// readBases parses the list of base URLs that a request is allowed to select.
func readBases(list string) (bases []string, err error) {
	all, err := texts(basesSetting().Elements(list))
	if err != nil {
		return nil, err
	}
	for _, b := range all {
		if b = strings.TrimRight(b, "/"); b == "" {
			continue
		}
		if len(secret.EnvReferences(b)) > 0 {
			return nil, fmt.Errorf("%.60q: requests choose this address by its text, which takes no $VARIABLE", b)
		}
		var at string
		if err := parseBaseURL(&at, []byte(fmt.Sprintf("%q", b))); err != nil {
			return nil, fmt.Errorf("%.60q %w", b, err)
		}
		bases = append(bases, b)
	}
	return bases, nil
}
