// Package script is a simulated model that follows the rules of a YAML file.
package script

import (
	"fmt"
	"regexp"
	"strings"
	"time"

	"evalctl/mocks/component"
	"evalctl/mocks/model"
)

// Script is a model that follows rules, usually from a YAML file; see
// Parse for its form. The first rule that matches answers; then Default;
// then a refusal that says that no rule matched.
type Script struct {
	Parts      component.Components // that the rules speak of
	Components []ComponentRule      // which part a request is of, first match
	Rules      []Rule
	Default    *model.Answer
}

// Rule answers the requests that match.
type Rule struct {
	Match  Match
	Answer model.Answer
}

// ComponentRule tells whose request one is.
type ComponentRule struct {
	Match Match
	Part  string
}

// Match is a condition: all that is given must hold; the zero Match always does.
type Match struct {
	Part   string
	Model  string
	Text   string         // part of the last user text
	Regex  *regexp.Regexp // found in the last user text
	System string         // part of a system message
	Nth    int            // call of the part, from 1
}

var (
	_ model.Model      = (*Script)(nil)
	_ model.Classifier = (*Script)(nil)
)

// Matches tells whether a request matches.
func (m *Match) Matches(r *model.Request) bool {
	return (m.Part == "" || m.Part == r.Part) &&
		(m.Model == "" || m.Model == r.Model) &&
		(m.Nth == 0 || m.Nth == r.Nth) &&
		strings.Contains(r.Text, m.Text) &&
		(m.Regex == nil || m.Regex.MatchString(r.Text)) &&
		(m.System == "" || r.SystemContains(m.System))
}

// Validate checks what Parse checks.
func (s *Script) Validate() error {
	for i, a := range s.Components {
		if c, _ := s.Parts.Component(a.Part); !c.IsChatModel() {
			return fmt.Errorf("Script.Components[%d]: %q is no component of a chat model", i, a.Part)
		}
	}
	return nil
}

// Classify follows the script's components.
func (s *Script) Classify(r model.Request) string {
	for i := range s.Components {
		if s.Components[i].Match.Matches(&r) {
			return s.Components[i].Part
		}
	}
	return ""
}

// Answer follows the first rule that matches.
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

// duration reads a duration of a script.
func duration(s string) (time.Duration, error) {
	if s == "" {
		return 0, nil
	}
	d, err := time.ParseDuration(s)
	if err != nil || d < 0 {
		return 0, fmt.Errorf("bad duration %q: want one such as 50ms", s)
	}
	return d, nil
}
