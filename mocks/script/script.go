// Package script provides a simulated model that answers by the rules of a YAML file.
package script

import (
	"fmt"
	"regexp"
	"strings"
	"time"

	"evalctl/mocks/component"
	"evalctl/mocks/model"
)

// Script is a model that answers by rules, usually from a YAML file; see Parse for the format. The
// first matching rule answers, then Default. Otherwise the answer is a refusal that reports the
// missing rule.
type Script struct {
	Parts      component.Components // the parts that the rules refer to
	Components []ComponentRule      // assign requests to parts; the first match applies
	Rules      []Rule
	Default    *model.Answer
}

// Rule answers matching requests.
type Rule struct {
	Match  Match
	Answer model.Answer
}

// ComponentRule assigns matching requests to a part.
type ComponentRule struct {
	Match Match
	Part  string
}

// Match is a condition. All non-zero fields must match.
type Match struct {
	Part   string
	Model  string
	Text   string         // substring of the last user message
	Regex  *regexp.Regexp // matches the last user message
	System string         // substring of a system message
	Nth    int            // number of the part's call, from 1
}

var (
	_ model.Model      = (*Script)(nil)
	_ model.Classifier = (*Script)(nil)
)

func (m *Match) Matches(r *model.Request) bool {
	return (m.Part == "" || m.Part == r.Part) &&
		(m.Model == "" || m.Model == r.Model) &&
		(m.Nth == 0 || m.Nth == r.Nth) &&
		strings.Contains(r.Text, m.Text) &&
		(m.Regex == nil || m.Regex.MatchString(r.Text)) &&
		(m.System == "" || r.SystemContains(m.System))
}

// Validate performs the checks of Parse for a script built in Go.
func (s *Script) Validate() error {
	for i, a := range s.Components {
		if c, _ := s.Parts.Component(a.Part); !c.IsChatModel() {
			return fmt.Errorf("Script.Components[%d]: %q is not a component of a chat model", i, a.Part)
		}
	}
	return nil
}

// Classify returns the part of the first matching component rule; empty: none.
func (s *Script) Classify(r model.Request) string {
	for i := range s.Components {
		if s.Components[i].Match.Matches(&r) {
			return s.Components[i].Part
		}
	}
	return ""
}

// Answer returns the answer of the first matching rule.
func (s *Script) Answer(r model.Request) model.Answer {
	for i := range s.Rules {
		if s.Rules[i].Match.Matches(&r) {
			return s.Rules[i].Answer
		}
	}
	if s.Default != nil {
		return *s.Default
	}
	return model.Answer{Refusal: &model.Refusal{
		Status:  400,
		Message: fmt.Sprintf("no rule of the script matches call %d of %s: %q", r.Nth, r.Part, model.Truncate(r.Text)),
	}}
}

func parseDuration(s string) (time.Duration, error) {
	if s == "" {
		return 0, nil
	}
	d, err := time.ParseDuration(s)
	if err != nil || d < 0 {
		return 0, fmt.Errorf("bad duration %q: want one such as 50ms", s)
	}
	return d, nil
}
