package newsroom

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
)

// state is the data that all agents share. Its fields are those of the design. Derived facts are
// not stored: for example, images are complete if every plan has one.
type state struct {
	Messages []message `json:"messages,omitempty"`

	CreativeBrief *brief    `json:"creativeBrief,omitempty"`
	EvidencePack  *evidence `json:"evidencePack,omitempty"` // facts that the research agent found
	// key points for the text, by the research agent
	BodyBlocks             list[block]     `json:"bodyBlocks,omitempty"`
	ReferenceAnalyses      list[analysis]  `json:"referenceAnalyses,omitempty"`
	LayoutSpec             *layout         `json:"layoutSpec,omitempty"` // sections of the post
	ImagePlans             list[imagePlan] `json:"imagePlans,omitempty"`
	GeneratedContent       *content        `json:"generatedContent,omitempty"` // title, body and tags of the post
	GeneratedImageAssetIDs texts           `json:"generatedImageAssetIds,omitempty"`

	ReviewFeedback *feedback `json:"reviewFeedback,omitempty"`
	QualityScores  scores    `json:"qualityScores,omitempty"`

	ReferenceImages  texts `json:"referenceImages,omitempty"`
	LayoutPreference text  `json:"layoutPreference,omitempty"`
	ImageGenProvider text  `json:"imageGenProvider,omitempty"` // name of an image generator; "": the configured one

	// number of supervisor decisions for the current request
	IterationCount      int `json:"iterationCount,omitempty"`
	MaxIterations       int `json:"maxIterations,omitempty"`       // limit of decisions; 0: Config.MaxIterations
	ClarificationRounds int `json:"clarificationRounds,omitempty"` // rounds of questions for the current request

	ThreadID string `json:"threadId,omitempty"` // ID of the conversation
	// AgentClarificationKeys are the keys of the questions that were put to the user.
	AgentClarificationKeys texts `json:"agentClarificationKeys,omitempty"`

	CreativeID string `json:"creativeId,omitempty"` // ID of the post, for clients
}

// StateFieldNames returns the JSON names of the state fields.
func StateFieldNames() (names []string) {
	for f := range reflect.TypeFor[state]().Fields() {
		names = append(names, nameOf(f))
	}
	return names
}

func nameOf(f reflect.StructField) string {
	name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
	return name
}

// fieldIndexes returns the index of each state field in the struct, by JSON name.
var fieldIndexes = sync.OnceValue(func() map[string]int {
	at := map[string]int{}
	for i, name := range StateFieldNames() {
		at[name] = i
	}
	return at
})

// field returns the state field with a JSON name.
func (s *state) field(name string) (reflect.Value, bool) {
	i, ok := fieldIndexes()[name]
	if !ok {
		return reflect.Value{}, false
	}
	return reflect.ValueOf(s).Elem().Field(i), true
}

// has reports whether a state field is present and not empty.
func (s *state) has(name string) bool {
	v, ok := s.field(name)
	return ok && !v.IsZero() && (v.Kind() != reflect.Slice && v.Kind() != reflect.Map || v.Len() > 0)
}

// artifacts contains the results of an agent, by state field.
type artifacts map[string]any

// storeResults stores an agent's results in the state. own lists the fields that the agent may
// write. A result for another field is an error, and nothing is stored.
func (s *state) storeResults(agent string, own []string, results artifacts) error {
	for name, v := range results {
		f, ok := s.field(name)
		if !ok || !slices.Contains(own, name) {
			return fmt.Errorf("%s may not write %s", agent, name)
		}
		if t := reflect.TypeOf(v); t != f.Type() {
			return fmt.Errorf("%s: %s is no %s", agent, t, name)
		}
	}
	for name, v := range results {
		f, _ := s.field(name)
		f.Set(reflect.ValueOf(v))
	}
	return nil
}

// formatFields formats state fields for a prompt: for each field that is not empty, a heading and a
// line of JSON. It omits the messages, because prompts contain the conversation separately.
func (s *state) formatFields(names []string) string {
	var b strings.Builder
	for _, name := range names {
		if name == "messages" || !s.has(name) {
			continue
		}
		v, _ := s.field(name)
		raw, err := json.Marshal(v.Interface())
		if err != nil {
			continue // cannot happen: the state can always be encoded
		}
		fmt.Fprintf(&b, "%s%s\n%s\n", heading, name, clipBytes(string(raw)))
	}
	return b.String()
}

// heading precedes the name of a state field in a prompt.
const heading = "## "

// Limits on the state of a turn: decisions and messages.
const (
	iterationLimit = 100
	maxMessages    = 200
)
