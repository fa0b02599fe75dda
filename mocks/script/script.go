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

// Script is a simulated model that answers by rules, usually from a YAML file; see Parse for the
// format. The first rule that matches the request answers, then Default. Without either, the answer
// is an error that reports the missing rule.
type Script struct {
	AgentComponents component.Components // components of the agent, which the rules refer to by name
	ComponentRules  []ComponentRule      // rules for which component a request comes from; the first match applies
	Rules           []Rule               // the first rule that matches answers
	Default         *model.Answer        // answer if no rule matches; nil: an error
}

// Rule is the answer to all requests that match a condition.
type Rule struct {
	Match  Match
	Answer model.Answer
}

// ComponentRule assigns all requests that match a condition to a component.
type ComponentRule struct {
	Match     Match
	Component string // name of the component
}

// Match is a condition on a request. All fields that are not zero must match.
type Match struct {
	Component  string         // name of the component; empty: any
	Model      string         // requested model; empty: any
	Text       string         // substring of the last user message
	Regex      *regexp.Regexp // matches the last user message
	System     string         // substring of a system message
	CallNumber int            // number of the component's call, from 1
}

var (
	_ model.Model      = (*Script)(nil)
	_ model.Classifier = (*Script)(nil)
)

// Matches reports whether all conditions of m match the request. A zero Match matches every request
// of every component.
func (m *Match) Matches(r *model.Request) bool {
	return (m.Component == "" || m.Component == r.ComponentName) &&
		(m.Model == "" || m.Model == r.Model) &&
		(m.CallNumber == 0 || m.CallNumber == r.CallNumber) &&
		strings.Contains(r.Text, m.Text) &&
		(m.Regex == nil || m.Regex.MatchString(r.Text)) &&
		(m.System == "" || r.SystemContains(m.System))
}

// Validate performs the checks of Parse for a script that was built in Go.
func (s *Script) Validate() error {
	for i, a := range s.ComponentRules {
		if c, _ := s.AgentComponents.RoleOf(a.Component); !c.IsChatModel() {
			return fmt.Errorf("Script.Components[%d]: %q is not a component of a chat model", i, a.Component)
		}
	}
	return nil
}

// Classify returns the component of the first ComponentRule that matches the request; empty: none.
func (s *Script) Classify(r model.Request) string {
	for i := range s.ComponentRules {
		if s.ComponentRules[i].Match.Matches(&r) {
			return s.ComponentRules[i].Component
		}
	}
	return ""
}

// Answer returns the answer of the first rule that matches the request.
func (s *Script) Answer(r model.Request) model.Answer {
	for i := range s.Rules {
		if s.Rules[i].Match.Matches(&r) {
			return s.Rules[i].Answer
		}
	}
	if s.Default != nil {
		return *s.Default
	}
	return model.Answer{ErrorResponse: &model.ErrorResponse{
		Status: 400,
		Message: fmt.Sprintf("no rule of the script matches call %d of %s: %q", r.CallNumber, r.ComponentName,
			model.Excerpt(r.Text)),
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
