package companion

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"evalctl/agent/companion/diary"
	"evalctl/agent/llm"
)

// The intents, the residual one last.
const (
	knowledgeQuery = "KNOWLEDGE_QUERY"
	normalChat     = "NORMAL_CHAT"
)

// below is what becomes of a decision that is not trusted.
type below string

// What a decision below its threshold may become.
const (
	belowChat  below = "chat"  // conversation
	belowQuery below = "query" // a look into the diary
)

// What holds where nothing else is said.
const (
	defaultThreshold = 0.7 // of a model's decision
	defaultKeyword   = 0.6 // of a match of keywords
	defaultMost      = 5   // days that are recalled
	defaultHistory   = 2   // earlier turns that the deciding model is shown
)

// Bounds on what a turn may bring, and on what is asked of it.
const (
	maxText    = 32 << 10 // bytes
	maxMost    = 50       // days
	maxHistory = 50       // turns
)

// How long an attempt may take of each node's call: each but the chat's has
// something to fall back on.
const (
	decisionTimeout  = 10 * time.Second
	summaryTimeout   = 30 * time.Second
	knowledgeTimeout = 3 * time.Second
	storeTimeout     = 3 * time.Second
)

// intentTTL is how long a model's decision on a text is remembered.
const intentTTL = time.Hour

// config sets a companion up.
type config struct {
	Router  *llm.Client
	Chat    *llm.Client
	Summary *llm.Client
	Diary   *diary.MemoryStore

	Agent     string         // whose memory it is where a turn names nobody; "": the first prompt's
	Agents    []string       // that have memories; those that have a prompt are known besides
	Threshold *float64       // of a model's decision; nil: defaultThreshold
	Keyword   *float64       // of a match of keywords; nil: defaultKeyword
	Below     below          // "": belowChat
	AlwaysAsk bool           // the model decides also what is plain
	Most      int            // days that are recalled; 0: defaultMost
	History   int            // earlier turns that the deciding model is shown
	Zone      *time.Location // of the user, where a turn names none; nil: that of now
	Prompts   prompts        // zero prompts: the shipped ones

	BeforeLookup func(context.Context) error // stands before the look-up; nil: nothing does
	BeforeStore  func(context.Context) error // stands before the transaction; nil: nothing does

	DecisionOnly bool // stop once the intent is decided, and ask for nothing else
}

// complete fills in what was left out and checks the rest; errors name the field.
func (c config) complete() (_ config, err error) {
	if c.Threshold == nil {
		c.Threshold = new(defaultThreshold)
	}
	if c.Keyword == nil {
		c.Keyword = new(defaultKeyword)
	}
	if c.Below == "" {
		c.Below = belowChat
	}
	if c.Most == 0 {
		c.Most = defaultMost
	}
	switch {
	case c.Router == nil:
		return c, errors.New("companion: Router: required")
	case c.Chat == nil:
		return c, errors.New("companion: Chat: required")
	case c.Summary == nil:
		return c, errors.New("companion: Summary: required")
	case c.Diary == nil:
		return c, errors.New("companion: Diary: required")
	case !(*c.Threshold >= 0 && *c.Threshold <= 1):
		return c, fmt.Errorf("companion: Threshold: %v is not in 0..1", *c.Threshold)
	case !(*c.Keyword >= 0 && *c.Keyword <= 1):
		return c, fmt.Errorf("companion: Keyword: %v is not in 0..1", *c.Keyword)
	case !slices.Contains([]below{belowChat, belowQuery}, c.Below):
		return c, fmt.Errorf("companion: Below: unknown %q", c.Below)
	case c.Most < 1 || c.Most > maxMost:
		return c, fmt.Errorf("companion: Most: %d is not in 1..%d", c.Most, maxMost)
	case c.History < 0 || c.History > maxHistory:
		return c, fmt.Errorf("companion: History: %d is not in 0..%d", c.History, maxHistory)
	}
	if c.Prompts, err = c.Prompts.orShipped(); err == nil && c.Agent == "" {
		c.Agent = c.Prompts.Agents[0].Name
	}
	return c, err
}
