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
	KnowledgeQuery = "KNOWLEDGE_QUERY"
	NormalChat     = "NORMAL_CHAT"
)

// Below is what becomes of a decision that is not trusted.
type Below string

// What a decision below its threshold may become.
const (
	BelowChat  Below = "chat"  // conversation
	BelowQuery Below = "query" // a look into the diary
)

// What holds where nothing else is said.
const (
	DefaultThreshold = 0.7 // of a model's decision
	DefaultKeyword   = 0.6 // of a match of keywords
	DefaultMost      = 5   // days that are recalled
	DefaultHistory   = 2   // earlier turns that the deciding model is shown
)

// Bounds on what a turn may bring, and on what is asked of it.
const (
	MaxText    = 32 << 10 // bytes
	MaxMost    = 50       // days
	MaxHistory = 50       // turns
)

// How long an attempt may take of each node's call: each but the chat's has
// something to fall back on.
const (
	DecisionTimeout  = 10 * time.Second
	SummaryTimeout   = 30 * time.Second
	KnowledgeTimeout = 3 * time.Second
	StoreTimeout     = 3 * time.Second
)

// intentTTL is how long a model's decision on a text is remembered.
const intentTTL = time.Hour

// Config sets a companion up.
type Config struct {
	Router  *llm.Client
	Chat    *llm.Client
	Summary *llm.Client
	Diary   *diary.Diary

	Agent     string         // whose memory it is where a turn names nobody; "": the first prompt's
	Agents    []string       // that have memories; those that have a prompt are known besides
	Threshold *float64       // of a model's decision; nil: DefaultThreshold
	Keyword   *float64       // of a match of keywords; nil: DefaultKeyword
	Below     Below          // "": BelowChat
	AlwaysAsk bool           // the model decides also what is plain
	Most      int            // days that are recalled; 0: DefaultMost
	History   int            // earlier turns that the deciding model is shown
	Zone      *time.Location // of the user, where a turn names none; nil: that of now
	Prompts   Prompts        // zero prompts: the shipped ones

	BeforeLookup func(context.Context) error // stands before the look-up; nil: nothing does
	BeforeStore  func(context.Context) error // stands before the transaction; nil: nothing does

	DecisionOnly bool // stop once the intent is decided, and ask for nothing else
}

// complete fills in what was left out and checks the rest; errors name the field.
func (c Config) complete() (_ Config, err error) {
	if c.Threshold == nil {
		c.Threshold = new(DefaultThreshold)
	}
	if c.Keyword == nil {
		c.Keyword = new(DefaultKeyword)
	}
	if c.Below == "" {
		c.Below = BelowChat
	}
	if c.Most == 0 {
		c.Most = DefaultMost
	}
	switch {
	case c.Router == nil:
		return c, errors.New("companion.Config.Router: required")
	case c.Chat == nil:
		return c, errors.New("companion.Config.Chat: required")
	case c.Summary == nil:
		return c, errors.New("companion.Config.Summary: required")
	case c.Diary == nil:
		return c, errors.New("companion.Config.Diary: required")
	case !(*c.Threshold >= 0 && *c.Threshold <= 1):
		return c, fmt.Errorf("companion.Config.Threshold: %v is not in 0..1", *c.Threshold)
	case !(*c.Keyword >= 0 && *c.Keyword <= 1):
		return c, fmt.Errorf("companion.Config.Keyword: %v is not in 0..1", *c.Keyword)
	case !slices.Contains([]Below{BelowChat, BelowQuery}, c.Below):
		return c, fmt.Errorf("companion.Config.Below: unknown %q", c.Below)
	case c.Most < 1 || c.Most > MaxMost:
		return c, fmt.Errorf("companion.Config.Most: %d is not in 1..%d", c.Most, MaxMost)
	case c.History < 0 || c.History > MaxHistory:
		return c, fmt.Errorf("companion.Config.History: %d is not in 0..%d", c.History, MaxHistory)
	}
	if c.Prompts, err = c.Prompts.orShipped(); err == nil && c.Agent == "" {
		c.Agent = c.Prompts.Agents[0].Name
	}
	return c, err
}
