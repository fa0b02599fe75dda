package scholar

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"time"

	"evalctl/agent/cache"
	"evalctl/agent/recall"
	"evalctl/agent/scholar/conversation"
	"evalctl/agent/search/web"
	"evalctl/agent/system"
)

// Defaults, in tokens unless another unit is named.
const (
	defaultContext      = 65536
	defaultSystemTokens = 2000
	defaultAnswerTokens = 8000
	defaultDirect       = 0.7 // share of the context budget that a document may use as a whole
	defaultCalls        = 10  // concurrent calls of models and the retrieval service
	defaultRetries      = 3   // for the intent
	defaultEngine       = web.Tavily
)

// Limits of a turn and of the settings.
const (
	maxText    = 64 << 10 // bytes
	maxContext = 10_000_000
	maxCalls   = 100
	maxRetries = 10
)

// Timeouts of one attempt of calls that have a fallback.
const (
	decisionTimeout = 10 * time.Second
	questionTimeout = 20 * time.Second
	recallTimeout   = 10 * time.Second
	searchTimeout   = 10 * time.Second
)

// config is the configuration of a scholar.
type config struct {
	Link     func(part string) system.Endpoint // required: the endpoint of each component
	Seed     uint64                            // for the jitter of retries
	Library  *library                          // nil: the built-in one
	Recall   recall.Searcher                   // searches the library's passages; required
	Cache    cache.Store                       // of summaries; required
	Sessions *conversation.Store               // nil: a new one
	Prompts  prompts                           // zero fields: the built-in prompts

	Context, System, Answer int      // tokens; 0: default
	Direct                  float64  // 0: defaultDirect
	Calls, Retries, Tools   int      // 0: default; Retries -1: none
	TopN                    int      // 0: recall.DefaultTopN
	Threshold, Weight       *float64 // nil: default of package recall
	Rerank                  string   // "": none
	Datasets                []string // indexes to search
	Engine                  string   // "": defaultEngine
	NoSearch                bool     // no web search; the prompt mentions this
	Bases                   []string // base URLs of models that a request may choose

	DecisionOnly bool // stop after the intent is decided
}

// complete fills in defaults and checks the rest. Errors name the field.
func (c config) complete() (_ config, err error) {
	c.Context, c.System, c.Answer = cmp.Or(c.Context, defaultContext), cmp.Or(c.System, defaultSystemTokens),
		cmp.Or(c.Answer, defaultAnswerTokens)
	c.Direct, c.Calls, c.Retries, c.Tools = cmp.Or(c.Direct, defaultDirect), cmp.Or(c.Calls, defaultCalls),
		cmp.Or(c.Retries, defaultRetries), cmp.Or(c.Tools, recall.DefaultTools)
	c.TopN, c.Engine = cmp.Or(c.TopN, recall.DefaultTopN), cmp.Or(c.Engine, defaultEngine)
	c.Retries = max(c.Retries, 0)
	if c.Datasets == nil {
		c.Datasets = []string{papersDataset}
	}
	if c.Library == nil {
		if c.Library, err = shippedLibrary(); err != nil {
			return c, err
		}
	}
	if c.Sessions == nil {
		if c.Sessions, err = conversation.New(conversation.Config{}); err != nil {
			return c, err
		}
	}
	switch {
	case c.Link == nil:
		return c, errors.New("scholar: Link: required")
	case c.Recall == nil && !c.DecisionOnly:
		return c, errors.New("scholar: Recall: required")
	case c.Cache == nil:
		return c, errors.New("scholar: Cache: required")
	case !slices.Contains(engines(), c.Engine):
		return c, fmt.Errorf("scholar: Engine: unknown %q", c.Engine)
	case !(c.Direct > 0 && c.Direct <= 1):
		return c, fmt.Errorf("scholar: Direct: %v is not in 0..1", c.Direct)
	}
	if err := c.checkNumbers(); err != nil {
		return c, err
	}
	c.Prompts, err = c.Prompts.orShipped()
	return c, err
}

func (c config) checkNumbers() error {
	for _, n := range []struct {
		field            string
		got, least, most int
	}{
		{"Context", c.Context, 1, maxContext}, {"System", c.System, 1, maxContext}, {"Answer", c.Answer, 1, maxContext},
		{"Calls", c.Calls, 1, maxCalls}, {"Retries", c.Retries, 0, maxRetries}, {"Tools", c.Tools, 1, recall.MaxTools},
		{"TopN", c.TopN, 1, recall.MaxTopN},
	} {
		if n.got < n.least || n.got > n.most {
			return fmt.Errorf("scholar: %s: %d is not in %d..%d", n.field, n.got, n.least, n.most)
		}
	}
	for field, v := range map[string]*float64{"Threshold": c.Threshold, "Weight": c.Weight} {
		if v != nil && !(*v >= 0 && *v <= 1) {
			return fmt.Errorf("scholar: %s: %v is not in 0..1", field, *v)
		}
	}
	return nil
}
