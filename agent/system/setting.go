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

// Setting declares one parameter of a system's variants, such as a prompt file. Users set it as a
// key of a variant in suite files, or as a flag of run, chat and serve. With several values, run
// compares one variant per value.
type Setting struct {
	Name             string
	Help             string   // help text of the flag; the word in backquotes is the placeholder for the value
	Values           []string // all allowed values; nil: Check decides
	Default          string   // value if none is given; "": none
	RecordingDefault string   // Default while answers are recorded, replayed or cached; "": Default
	ChatDefault      string   // Default in chat and serve; "": Default
	// separates the elements of a value; "": a value is one element, unless IsList is set
	Separator string
	IsFile    bool // the elements are paths of files or directories
	// the elements are endpoints that a request may choose in place of the configured models
	IsSelectablePerRequest bool
	IsURL                  bool // the elements, except the default, are addresses that receive data of the agent
	// validates a value, or the path of a file before the file is loaded; nil: any value is valid
	Check func(string) error
	// reports whether a variant with these settings uses the setting; nil: every variant does
	UsedIf func(SettingValues) bool

	AllowCommas bool // values may contain commas; several values then need one flag each
	IsList      bool // a value is a list: a repeated flag, or a list in a suite file; see splitList
	IsWorkDir   bool // the value is the directory in which the system's commands run
	// the elements are commands that evalctl runs; with IsURL, http URLs are addresses and all
	// others commands
	IsCommand bool
	// EnvVariables returns the names of the environment variables whose values are sent to the
	// component; nil: none.
	EnvVariables func(value string) []string

	// the data, for example a store on disk, remain after a trial; allowed for chat and serve, not
	// for run
	IsPersistent bool
	IsPrompt     bool // changes only a prompt, which simulated models do not read
	// IsThreshold marks the setting that contains the minimum confidence of the model's decision.
	// Below it, the agent uses ModelDecision.DecisionIfRejected instead.
	IsThreshold bool
}

// IsUsed reports whether a variant with these settings uses the setting.
func (s Setting) IsUsed(v SettingValues) bool { return s.UsedIf == nil || s.UsedIf(v) }

// SentEnvVariables returns the names of the environment variables whose values are sent to the
// component if the setting has this value.
func (s Setting) SentEnvVariables(value string) []string {
	if s.EnvVariables == nil || value == "" {
		return nil
	}
	return s.EnvVariables(value)
}

// EnvVariableNames returns the names of all environment variables that a value refers to: those in
// its commands and addresses, and those of SentEnvVariables.
func (s Setting) EnvVariableNames(value string) []string {
	names := s.SentEnvVariables(value)
	for _, e := range s.Elements(value) {
		switch e.Kind {
		case ElementCommand:
			names = append(names, program.CommandVariables(e.Text)...)
		case ElementURL:
			names = append(names, secret.EnvReferences(e.Text)...)
		}
	}
	return names
}

// SettingValues maps the name of each setting to its value.
type SettingValues map[string]string

// splitList splits the value of a list setting: a JSON array, otherwise one element per line.
func splitList(value string) (values []string) {
	if strings.HasPrefix(value, "[") && json.Unmarshal([]byte(value), &values) == nil {
		return values
	}
	return strings.Split(value, "\n")
}

// Number returns a numeric setting, or 0 if it is not set. The value must have passed CheckNumber
// or CheckInteger.
func (v SettingValues) Number(name string) float64 {
	n, _ := strconv.ParseFloat(v[name], 64) // the value was checked before, or is not set
	return n
}

// CheckNumber returns a Setting.Check that accepts numbers from least to most.
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

// CheckInteger returns a Setting.Check that accepts integers from least to most.
func CheckInteger(least, most int) func(string) error {
	return func(value string) error {
		n, err := strconv.Atoi(value)
		if err != nil || n < least || n > most {
			return fmt.Errorf("%q is not a whole number from %d to %d", value, least, most)
		}
		return nil
	}
}

// CheckPromptFile is a function for Setting.Check. It returns an error unless the path is that of a
// valid prompt file.
func CheckPromptFile(path string) error {
	_, err := llm.LoadPromptFile(path)
	return err
}

// CheckPlainPromptFile is a function for Setting.Check. It returns an error unless the path is that
// of a prompt file without placeholders.
func CheckPlainPromptFile(path string) error {
	_, err := llm.LoadPlainPromptFile(path)
	return err
}
