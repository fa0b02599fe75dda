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

// nodeOf are the nodes of the parts that are chat models, and how long an attempt of
// theirs may take; 0: as long as usual.
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

// client is the model behind a part, as the request wants it: with another model or key
// of its own, or at an address that the operator allows.
func (r *run) client(part string) (*llm.Client, error) {
	return r.params.over(r.Link(part)).Client(llm.Config{Node: nodeOf[part].node, Timeout: nodeOf[part].timeout, Seed: r.Seed})
}

// over is a link with what a request brings of its own. A key of the operator never
// goes to an address of the request.
func (p params) over(l system.Endpoint) system.Endpoint {
	if p.base != "" {
		l.Provider, l.BaseURL, l.APIKey, l.HTTP = llm.Generic, p.base, "", outside{l.HTTP}
	}
	if p.key != "" {
		l.APIKey = p.key
	}
	if p.model != "" {
		l.Model = p.model
	}
	return l
}

// outside reaches an address that a request has chosen, also where the models that it takes
// the place of are simulated. In simulated time nothing is outside.
type outside struct {
	inside interface {
		Do(*http.Request) (*http.Response, error)
	}
}

// Do sends a request.
func (o outside) Do(r *http.Request) (*http.Response, error) {
	if o.inside != nil && clock.IsSimulated(r.Context()) {
		return o.inside.Do(r)
	}
	return outbound.Default().Do(r)
}

// checkEndpoint refuses an address that the operator has not allowed: a served agent is
// not to be sent anywhere.
func (r *run) checkEndpoint() error {
	switch {
	case r.base == "":
		return nil
	case !slices.Contains(r.Bases, strings.TrimRight(r.base, "/")):
		return refused(badOptions, "参数有误：openai_api_base 不在允许的地址之列。", "An option is wrong: openai_api_base is none of the addresses that are allowed.")
	case r.key == "":
		return refused(badOptions, "参数有误：使用 openai_api_base 时必须同时给出 openai_api_key。", "An option is wrong: with openai_api_base comes an openai_api_key.")
	}
	return nil
}

// readBases reads the addresses that a request may choose.
func readBases(list string) (bases []string, err error) {
	all, err := texts(basesSetting().Elements(list))
	if err != nil {
		return nil, err
	}
	for _, b := range all {
		if b = strings.TrimRight(b, "/"); b == "" {
			continue
		}
		if len(secret.Variables(b)) > 0 {
			return nil, fmt.Errorf("%.60q: requests choose this address by its text, which takes no $VARIABLE", b)
		}
		var at string
		if err := address(&at, []byte(fmt.Sprintf("%q", b))); err != nil {
			return nil, fmt.Errorf("%.60q %w", b, err)
		}
		bases = append(bases, b)
	}
	return bases, nil
}
