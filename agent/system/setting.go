package system

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"evalctl/agent/llm"
	"evalctl/agent/program"
	"evalctl/agent/secret"
)

// Setting is a parameter of a variant. It is a key of a variant in suite files, an axis and a flag
// of run, and a flag of chat and serve.
type Setting struct {
	Name             string
	Help             string   // help text of the flag; the word in backquotes names the value
	Values           []string // all values allowed; nil: Check decides
	Default          string   // "": none
	RecordingDefault string   // default when answers are recorded, replayed or cached; "": Default
	// separator of the elements of a value; "": see IsList, otherwise a value is one element
	Separator    string
	IsFile       bool               // elements are paths of files or directories
	IsSelectable bool               // elements are endpoints that a request may choose instead of the models
	IsURL        bool               // elements are addresses that receive data of the agent, or the default
	Check        func(string) error // checks a value, or the file before it is read; nil: any value is valid
	UsedIf       func(Values) bool  // reports whether a variant uses the setting; nil: every variant does

	AllowCommas bool // values may contain commas: each one needs its own flag
	IsList      bool // a value is a list: the flag is repeated, a file contains a list; see splitList
	WorkDir     bool // the value is the working directory of the system's commands
	IsCommand   bool // elements are commands that are run; with IsURL, all but http URLs are commands
	// EnvVariables are the environment variables whose values are sent to the component; nil: none.
	EnvVariables func(value string) []string

	IsPersistent bool // the data outlives a trial: for chat and serve, not for run
	IsPrompt     bool // changes a prompt, which a simulated model does not read
	// IsThreshold marks the threshold for the decider's confidence. Below it, the decision is
	// DecisionIfRejected of the ModelDecision.
	IsThreshold bool
}

// IsUsed reports whether a variant uses the setting.
func (s Setting) IsUsed(v Values) bool { return s.UsedIf == nil || s.UsedIf(v) }

// SentVariables are the environment variables whose values a value of the setting sends.
func (s Setting) SentVariables(value string) []string {
	if s.EnvVariables == nil || value == "" {
		return nil
	}
	return s.EnvVariables(value)
}

// VariableNames are the environment variables that a value refers to: those that it sends, and
// those in its commands and addresses.
func (s Setting) VariableNames(value string) []string {
	names := s.SentVariables(value)
	for _, e := range s.Elements(value) {
		switch e.Kind {
		case Command:
			names = append(names, program.Variables(e.Text)...)
		case URL:
			names = append(names, secret.Variables(e.Text)...)
		}
	}
	return names
}

// Values are settings by name.
type Values map[string]string

// splitList splits the value of a list setting: a JSON array, otherwise one element per line.
func splitList(value string) (values []string) {
	if strings.HasPrefix(value, "[") && json.Unmarshal([]byte(value), &values) == nil {
		return values
	}
	return strings.Split(value, "\n")
}

// Number is a setting that CheckNumber or CheckInteger accepts, 0 if it is not set.
func (v Values) Number(name string) float64 {
	n, _ := strconv.ParseFloat(v[name], 64) // checked, or not set
	return n
}

// CheckNumber returns a check for a number from least to most.
func CheckNumber(least, most float64) func(string) error {
	return func(value string) error {
		n, err := strconv.ParseFloat(value, 64)
		if err != nil {
			return fmt.Errorf("%q is not a number", value)
		}
		if !(n >= least && n <= most) {
			return fmt.Errorf("%v is not in %v..%v", n, least, most)
		}
		return nil
	}
}

// CheckInteger returns a check for an integer from least to most.
func CheckInteger(least, most int) func(string) error {
	return func(value string) error {
		n, err := strconv.Atoi(value)
		if err != nil || n < least || n > most {
			return fmt.Errorf("%q is not a whole number from %d to %d", value, least, most)
		}
		return nil
	}
}

// CheckPromptFile checks that a file contains a prompt.
func CheckPromptFile(path string) error {
	_, err := llm.LoadPromptFile(path)
	return err
}

// CheckPlainPromptFile checks that a file contains a prompt without placeholders.
func CheckPlainPromptFile(path string) error {
	_, err := llm.LoadPlainPromptFile(path)
	return err
}
