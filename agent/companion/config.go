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

// The intents that the agent decides between. The fallback is the last one.
const (
	knowledgeQuery = "KNOWLEDGE_QUERY"
	normalChat     = "NORMAL_CHAT"
)

// lowConfidenceAction determines what happens if a confidence is below its threshold.
type lowConfidenceAction string

// Values of lowConfidenceAction.
const (
	belowChat  lowConfidenceAction = "chat"  // answer without a search in the diary
	belowQuery lowConfidenceAction = "query" // search the diary
)

// Defaults of config.
const (
	defaultThreshold        = 0.7 // minimum confidence of the model's decision
	defaultKeywordThreshold = 0.6 // minimum confidence of a decision by keywords
	defaultMaxDays          = 5   // days that a search returns
	defaultHistory          = 2   // earlier turns in the deciding model's prompt
)

// Limits on a turn and on the settings.
const (
	maxText      = 32 << 10 // bytes of a turn
	maxDaysLimit = 50       // highest value of MaxDays
	maxHistory   = 50       // highest value of History
)

// Timeouts of one attempt for each node. A fallback replaces a node that fails, except the chat
// model, which has the client's timeout.
const (
	decisionTimeout  = 10 * time.Second
	summaryTimeout   = 30 * time.Second
	knowledgeTimeout = 3 * time.Second
	storeTimeout     = 3 * time.Second
)

// intentTTL is how long a decision of the model is cached for an identical request.
const intentTTL = time.Hour

// config configures a companion.
type config struct {
	Router  *llm.Client
	Chat    *llm.Client
	Summary *llm.Client
	Diary   *diary.Store

	Agent            string              // owner of the diary if the turn names none; "": the first agent with a prompt
	Agents           []string            // agents with days in the diary; agents with a prompt are valid, too
	Threshold        *float64            // minimum confidence of the model's decision; nil: defaultThreshold
	KeywordThreshold *float64            // minimum confidence of a decision by keywords; nil: defaultKeywordThreshold
	LowConfidence    lowConfidenceAction // if the confidence is below the threshold; "": belowChat
	AlwaysCallModel  bool                // calls the model even if a rule decides
	MaxDays          int                 // maximum number of days that a search returns; 0: defaultMaxDays
	HistoryTurns     int                 // earlier turns in the deciding model's prompt
	Zone             *time.Location      // user's time zone if the turn has none; nil: that of the clock
	Prompts          prompts             // zero fields: the prompts that ship with the package

	// called before each diary search, for example to inject faults; nil: nothing
	BeforeSearch func(context.Context) error
	BeforeStore  func(context.Context) error // called before each diary transaction; nil: nothing

	DecisionOnly bool // stops after the intent is decided
}

// complete fills in defaults and checks the other fields. Its errors name the invalid field.
func (c config) complete() (_ config, err error) {
	if c.Threshold == nil {
		c.Threshold = new(defaultThreshold)
	}
	if c.KeywordThreshold == nil {
		c.KeywordThreshold = new(defaultKeywordThreshold)
	}
	if c.LowConfidence == "" {
		c.LowConfidence = belowChat
	}
	if c.MaxDays == 0 {
		c.MaxDays = defaultMaxDays
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
	case !(*c.KeywordThreshold >= 0 && *c.KeywordThreshold <= 1):
		return c, fmt.Errorf("companion: KeywordThreshold: %v is not in 0..1", *c.KeywordThreshold)
	case !slices.Contains([]lowConfidenceAction{belowChat, belowQuery}, c.LowConfidence):
		return c, fmt.Errorf("companion: LowConfidence: unknown %q", c.LowConfidence)
	case c.MaxDays < 1 || c.MaxDays > maxDaysLimit:
		return c, fmt.Errorf("companion: MaxDays: %d is not in 1..%d", c.MaxDays, maxDaysLimit)
	case c.HistoryTurns < 0 || c.HistoryTurns > maxHistory:
		return c, fmt.Errorf("companion: HistoryTurns: %d is not in 0..%d", c.HistoryTurns, maxHistory)
	}
	if c.Prompts, err = c.Prompts.orShipped(); err == nil && c.Agent == "" {
		c.Agent = c.Prompts.AgentPersonas[0].Name
	}
	return c, err
}
