package newsroom

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
)

// state is the shared data of all agents, exactly the fields of the design. Derived facts are not
// stored: a brief is complete if it exists, and images are complete if every plan has one.
type state struct {
	Messages []message `json:"messages,omitempty"`

	CreativeBrief          *brief          `json:"creativeBrief,omitempty"`
	EvidencePack           *evidence       `json:"evidencePack,omitempty"`
	BodyBlocks             list[block]     `json:"bodyBlocks,omitempty"`
	ReferenceAnalyses      list[analysis]  `json:"referenceAnalyses,omitempty"`
	LayoutSpec             *layout         `json:"layoutSpec,omitempty"`
	ImagePlans             list[imagePlan] `json:"imagePlans,omitempty"`
	GeneratedContent       *content        `json:"generatedContent,omitempty"`
	GeneratedImageAssetIDs texts           `json:"generatedImageAssetIds,omitempty"`

	ReviewFeedback *feedback `json:"reviewFeedback,omitempty"`
	QualityScores  scores    `json:"qualityScores,omitempty"`

	ReferenceImages  texts `json:"referenceImages,omitempty"`
	LayoutPreference text  `json:"layoutPreference,omitempty"`
	ImageGenProvider text  `json:"imageGenProvider,omitempty"`

	IterationCount      int `json:"iterationCount,omitempty"` // decisions of the supervisor in this episode
	MaxIterations       int `json:"maxIterations,omitempty"`
	ClarificationRounds int `json:"clarificationRounds,omitempty"`

	ThreadID string `json:"threadId,omitempty"`
	// AgentClarificationKeys are the keys of questions that have been put to the user.
	AgentClarificationKeys texts `json:"agentClarificationKeys,omitempty"`

	CreativeID string `json:"creativeId,omitempty"`
}

// Fields are the names of the state's fields.
func Fields() (names []string) {
	for f := range reflect.TypeFor[state]().Fields() {
		names = append(names, nameOf(f))
	}
	return names
}

func nameOf(f reflect.StructField) string {
	name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
	return name
}

// places are the indexes of the struct's fields by name.
var places = sync.OnceValue(func() map[string]int {
	at := map[string]int{}
	for i, name := range Fields() {
		at[name] = i
	}
	return at
})

// field returns the field with a name.
func (s *state) field(name string) (reflect.Value, bool) {
	i, ok := places()[name]
	if !ok {
		return reflect.Value{}, false
	}
	return reflect.ValueOf(s).Elem().Field(i), true
}

// has reports whether a field is not empty.
func (s *state) has(name string) bool {
	v, ok := s.field(name)
	return ok && !v.IsZero() && (v.Kind() != reflect.Slice && v.Kind() != reflect.Map || v.Len() > 0)
}

// artifacts are the results of an agent, by state field.
type artifacts map[string]any

// storeResults stores an agent's results in its own fields. If a result belongs to another agent,
// it returns an error and stores nothing.
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

// formatFields formats fields for a prompt: a heading and a line of JSON for each field that is not
// empty. Messages are excluded; they are part of the conversation.
func (s *state) formatFields(names []string) string {
	var b strings.Builder
	for _, name := range names {
		if name == "messages" || !s.has(name) {
			continue
		}
		v, _ := s.field(name)
		raw, err := json.Marshal(v.Interface())
		if err != nil {
			continue // cannot happen: the state is JSON
		}
		fmt.Fprintf(&b, "%s%s\n%s\n", heading, name, clipBytes(string(raw)))
	}
	return b.String()
}

// heading precedes the name of a field in a prompt.
const heading = "## "

// Limits for the fields of an input.
const (
	iterationLimit = 100
	maxMessages    = 200
)
