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

// The intents, the fallback label last.
const (
	knowledgeQuery = "KNOWLEDGE_QUERY"
	normalChat     = "NORMAL_CHAT"
)

// lowConfidenceAction is the action for a decision below the threshold.
type lowConfidenceAction string

// The actions for a decision below its threshold.
const (
	belowChat  lowConfidenceAction = "chat"  // conversation
	belowQuery lowConfidenceAction = "query" // a search in the diary
)

// The defaults.
const (
	defaultThreshold = 0.7 // for a model's decision
	defaultKeyword   = 0.6 // for a keyword match
	defaultMost      = 5   // days that are recalled
	defaultHistory   = 2   // earlier turns in the deciding model's prompt
)

// Limits of a turn and of the settings.
const (
	maxText    = 32 << 10 // bytes
	maxMost    = 50       // days
	maxHistory = 50       // turns
)

// Timeouts of one attempt, per node. Each node has a fallback. Chat uses the client's timeout.
const (
	decisionTimeout  = 10 * time.Second
	summaryTimeout   = 30 * time.Second
	knowledgeTimeout = 3 * time.Second
	storeTimeout     = 3 * time.Second
)

// intentTTL is how long a model's decision is cached.
const intentTTL = time.Hour

// config is the configuration of a companion.
type config struct {
	Router  *llm.Client
	Chat    *llm.Client
	Summary *llm.Client
	Diary   *diary.Store

	Agent         string              // owner of the memory if a turn names no agent; "": the first prompt's
	Agents        []string            // agents with memories; agents with a prompt are known in addition
	Threshold     *float64            // for a model's decision; nil: defaultThreshold
	Keyword       *float64            // for a keyword match; nil: defaultKeyword
	LowConfidence lowConfidenceAction // "": belowChat
	AlwaysAsk     bool                // call the model even if a rule matches
	Most          int                 // days that are recalled; 0: defaultMost
	History       int                 // earlier turns in the deciding model's prompt
	Zone          *time.Location      // the user's time zone if a turn has none; nil: that of the clock
	Prompts       prompts             // zero fields: the built-in prompts

	BeforeLookup func(context.Context) error // called before each search; nil: none
	BeforeStore  func(context.Context) error // called before each transaction; nil: none

	DecisionOnly bool // stop after the intent is decided
}

// complete fills in defaults and checks the rest. Errors name the field.
func (c config) complete() (_ config, err error) {
	if c.Threshold == nil {
		c.Threshold = new(defaultThreshold)
	}
	if c.Keyword == nil {
		c.Keyword = new(defaultKeyword)
	}
	if c.LowConfidence == "" {
		c.LowConfidence = belowChat
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
	case !slices.Contains([]lowConfidenceAction{belowChat, belowQuery}, c.LowConfidence):
		return c, fmt.Errorf("companion: LowConfidence: unknown %q", c.LowConfidence)
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
