package newsroom

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
)

// state is what all agents work on: the fields of the design, and no more. What
// follows from them is not kept: a brief is complete where it is there, and
// pictures are where there is one for each plan.
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

	ThreadID               string `json:"threadId,omitempty"`
	AgentClarificationKeys texts  `json:"agentClarificationKeys,omitempty"` // asked

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

// places are the fields' places in the struct, by their names.
var places = sync.OnceValue(func() map[string]int {
	at := map[string]int{}
	for i, name := range Fields() {
		at[name] = i
	}
	return at
})

// field finds a field by its name.
func (s *state) field(name string) (reflect.Value, bool) {
	i, ok := places()[name]
	if !ok {
		return reflect.Value{}, false
	}
	return reflect.ValueOf(s).Elem().Field(i), true
}

// has tells whether a field holds anything.
func (s *state) has(name string) bool {
	v, ok := s.field(name)
	return ok && !v.IsZero() && (v.Kind() != reflect.Slice && v.Kind() != reflect.Map || v.Len() > 0)
}

// artefacts are what an agent has made, by the fields where it goes.
type artefacts map[string]any

// take writes what an agent has made into the fields that are its own; one of
// another's is an error, and then nothing is written.
func (s *state) take(agent string, own []string, made artefacts) error {
	for name, v := range made {
		f, ok := s.field(name)
		if !ok || !slices.Contains(own, name) {
			return fmt.Errorf("%s may not write %s", agent, name)
		}
		if t := reflect.TypeOf(v); t != f.Type() {
			return fmt.Errorf("%s: %s is no %s", agent, t, name)
		}
	}
	for name, v := range made {
		f, _ := s.field(name)
		f.Set(reflect.ValueOf(v))
	}
	return nil
}

// show writes fields as an agent is shown them, a heading and a line of JSON for
// each that holds something; messages it is shown otherwise.
func (s *state) show(names []string) string {
	var b strings.Builder
	for _, name := range names {
		if name == "messages" || !s.has(name) {
			continue
		}
		v, _ := s.field(name)
		raw, err := json.Marshal(v.Interface())
		if err != nil {
			continue // the state is JSON
		}
		fmt.Fprintf(&b, "%s%s\n%s\n", heading, name, clipped(string(raw)))
	}
	return b.String()
}

// heading stands before the name of a field that is shown.
const heading = "## "

// Bounds on what an input may ask for.
const (
	mostIterations = 100
	mostMessages   = 200
)
