package mocks

import (
	"fmt"
	"regexp"
	"strings"
	"time"
)

// Scripted is a model that follows rules, usually from a YAML file; see
// ParseScript for its form. The first rule that matches answers; then Default;
// then a refusal that says that no rule matched.
type Scripted struct {
	Components []Assignment // which component a request is for, first match
	Rules      []Rule
	Default    *Answer
}

// Rule answers the requests that match.
type Rule struct {
	Match  Match
	Answer Answer
}

// Assignment tells a request's component.
type Assignment struct {
	Match     Match
	Component Component
}

// Match is a condition: all that is given must hold; the zero Match always does.
type Match struct {
	Component Component
	Model     string
	Text      string         // part of the last user text
	Regex     *regexp.Regexp // found in the last user text
	System    string         // part of a system message
	Nth       int            // call of the component, from 1
}

var (
	_ Model      = (*Scripted)(nil)
	_ Classifier = (*Scripted)(nil)
)

// Holds tells whether a request matches.
func (m *Match) Holds(r *ChatRequest) bool {
	return (m.Component == "" || m.Component == r.Component) &&
		(m.Model == "" || m.Model == r.Model) &&
		(m.Nth == 0 || m.Nth == r.Nth) &&
		strings.Contains(r.Text, m.Text) &&
		(m.Regex == nil || m.Regex.MatchString(r.Text)) &&
		(m.System == "" || r.system(m.System))
}

// Validate checks what ParseScript checks.
func (s *Scripted) Validate() error {
	for i, a := range s.Components {
		if !a.Component.speaks() {
			return fmt.Errorf("Scripted.Components[%d]: %q is no component of a chat model", i, a.Component)
		}
	}
	return nil
}

// Classify follows the script's components.
func (s *Scripted) Classify(r ChatRequest) Component {
	for i := range s.Components {
		if s.Components[i].Match.Holds(&r) {
			return s.Components[i].Component
		}
	}
	return ""
}

// Answer follows the first rule that matches.
func (s *Scripted) Answer(r ChatRequest) Answer {
	for i := range s.Rules {
		if s.Rules[i].Match.Holds(&r) {
			return s.Rules[i].Answer
		}
	}
	if s.Default != nil {
		return *s.Default
	}
	return Answer{Refusal: &Refusal{
		Status:  400,
		Message: fmt.Sprintf("no rule of the script matches call %d of %s: %q", r.Nth, r.Component, short(r.Text)),
	}}
}

// scriptDelay reads a duration of a script.
func scriptDelay(s string) (time.Duration, error) {
	if s == "" {
		return 0, nil
	}
	d, err := time.ParseDuration(s)
	if err != nil || d < 0 {
		return 0, fmt.Errorf("bad duration %q: want one such as 50ms", s)
	}
	return d, nil
}
