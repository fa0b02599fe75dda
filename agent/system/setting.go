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

// Setting is what a variant may set: a key of a variant in suite files, an axis
// and a flag of run, a flag of chat and serve.
type Setting struct {
	Name             string
	Help             string             // as a flag's: the word in backquotes stands for the value
	Values           []string           // all that are allowed; nil: Check says
	Default          string             // "": none
	RecordingDefault string             // the usual value where answers are recorded, replayed or kept; "": Usual
	Joined           string             // separates the elements of a value; "": see List, else a value is one element
	IsFile           bool               // elements are paths of files or folders
	Offers           bool               // elements are endpoints that a request may choose in place of the models
	IsURL            bool               // elements are addresses, which are sent what the agent knows, or the usual value
	Check            func(string) error // of a file: what must be so before it is read; nil: any will do
	UsedIf           func(Values) bool  // whether a variant makes use of it; nil: every one does

	AllowCommas  bool                        // values may hold commas: as a flag each is given by itself
	IsList       bool                        // several values make one: a flag is repeated, a file has a list; see List
	WorkDir      bool                        // the value is the folder in which the system's commands run
	IsCommand    bool                        // elements are commands that are run; with Address all but http URLs are
	EnvVariables func(value string) []string // of the environment, whose values it sends to where the part is; nil: it sends none

	IsPersistent bool // it outlives a trial: for chat and serve, and for no run
	Prompt       bool // it changes what a model is told, which a simulated model does not read
	IsThreshold  bool // on the decider's confidence: below it, Else of its Opinion is decided
}

// IsUsed tells whether a variant makes use of the setting.
func (s Setting) IsUsed(v Values) bool { return s.UsedIf == nil || s.UsedIf(v) }

// SentVariables are the variables of the environment whose values such a setting sends.
func (s Setting) SentVariables(value string) []string {
	if s.EnvVariables == nil || value == "" {
		return nil
	}
	return s.EnvVariables(value)
}

// Names are the variables of the environment that a value refers to: those that it sends, and
// those of its commands and addresses.
func (s Setting) Names(value string) []string {
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

// ValueChecks are settings by name.
type Values map[string]string

// splitList are the values of a setting that is one: those of a JSON list, else one a line.
func splitList(value string) (list []string) {
	if strings.HasPrefix(value, "[") && json.Unmarshal([]byte(value), &list) == nil {
		return list
	}
	return strings.Split(value, "\n")
}

// CheckNumber is a setting that Number or Whole has checked, 0 where it is not given.
func (v Values) Number(name string) float64 {
	n, _ := strconv.ParseFloat(v[name], 64) // checked, or not given
	return n
}

// CheckNumber checks a number from least to most.
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

// CheckInteger checks a whole number from least to most.
func CheckInteger(least, most int) func(string) error {
	return func(value string) error {
		n, err := strconv.Atoi(value)
		if err != nil || n < least || n > most {
			return fmt.Errorf("%q is not a whole number from %d to %d", value, least, most)
		}
		return nil
	}
}

// CheckPromptFile checks that a file holds a prompt.
func CheckPromptFile(path string) error {
	_, err := llm.LoadPromptFile(path)
	return err
}

// CheckPlainPromptFile checks that a file holds a prompt without places.
func CheckPlainPromptFile(path string) error {
	_, err := llm.LoadPlainPromptFile(path)
	return err
}
