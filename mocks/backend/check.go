package backend

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"math"
	"os"
	"slices"
	"strings"

	"evalctl/agent/file"
	"evalctl/agent/outbound"
	"evalctl/agent/secret"
	"evalctl/agent/system"
	"evalctl/eval/suggest"
	"evalctl/eval/suite"
	"evalctl/mocks/component"
	"evalctl/mocks/latency"
	"evalctl/mocks/model"
	"evalctl/mocks/script"
)

// labeledByDefault returns the suite's models with defaults: simulated routers and critics without
// a behavior get "labeled", and "flaky" ones get the figures of that preset.
func labeledByDefault(s suite.Suite) map[string]suite.Model {
	models := maps.Clone(s.Models)
	if models == nil {
		models = map[string]suite.Model{}
	}
	for _, p := range s.System().Components {
		switch m := models[p.Name]; {
		case p.Role == system.RoleRouter && m.Behavior == flaky:
			models[p.Name] = flakyPreset(m)
		case isLabelBased(p) && m.Behavior == "" && m.BaseURL == "":
			m.Behavior = labeled
			models[p.Name] = m
		}
	}
	return models
}

// isLabelBased reports whether a simulation answers for the component from the labels of the cases:
// a router or a critic.
func isLabelBased(p system.Component) bool {
	return p.Role == system.RoleRouter || p.Role == system.RoleCritic
}

// checkModels reports configuration errors that would make every call fail, such as a missing API
// key. It also registers secrets for redaction.
func (b *Backend) checkModels() error {
	for i, v := range b.suite.Variants {
		b.hasReal = b.hasReal || v.BaseURL != ""
		b.addSecrets(v.BaseURL, v.KeyEnv)
		for _, e := range b.suite.SettingElements(v) {
			b.addSecrets(e.Text, "") // the address of a store may contain a password
		}
		if err := b.checkEndpoint(v.BaseURL, v.KeyEnv); err != nil {
			return fmt.Errorf("variants[%d].%w", i, err)
		}
		if err := b.checkVariables(v); err != nil {
			return fmt.Errorf("variants[%d].%w", i, err)
		}
		for _, p := range b.suite.System().Components {
			b.hasReal = b.hasReal || p.URLFor(b.suite.SettingValues(v)) != ""
		}
	}
	for _, name := range slices.Sorted(maps.Keys(b.suite.Models)) {
		m := b.suite.Models[name]
		b.hasReal = b.hasReal || m.BaseURL != ""
		b.addSecrets(m.BaseURL, m.APIKeyEnv)
		if err := b.checkEndpoint(m.BaseURL, m.APIKeyEnv); err != nil {
			return fmt.Errorf("models.%s.%w", name, err)
		}
		if err := b.configureSimulated(name, m); err != nil {
			return fmt.Errorf("models.%s.%w", name, err)
		}
	}
	return nil
}

// checkVariables reports settings that refer to unset environment variables, and registers the
// values of the variables as secrets.
func (b *Backend) checkVariables(v suite.Variant) error {
	for _, set := range b.suite.System().Settings {
		for _, name := range set.EnvVariableNames(v.Settings[set.Name]) {
			if err := CheckKeyVariable(name); err != nil && (set.IsCommand || set.IsURL) {
				return fmt.Errorf("%s: %w (write $$ for a dollar sign)", set.Name, err)
			} else if err != nil {
				return fmt.Errorf("%s: %w", set.Name, err)
			}
			if b.secrets != nil {
				_, _ = b.secrets.EnvValue(name) // the error was already reported above
			}
		}
	}
	return nil
}

// addSecrets registers the secrets of an endpoint for redaction: those in the URL, and the API key.
func (b *Backend) addSecrets(base, keyEnv string) {
	if b.secrets == nil || base == "" {
		return
	}
	b.secrets.AddFromText(base)
	if CheckEndpointURL(base) == nil {
		_, _ = b.secrets.ExpandEnvInURL(base) // missing variables are reported by checkEndpoint and checkVariables
	}
	b.secrets.Add(os.Getenv(keyEnv))
}

func (b *Backend) checkEndpoint(base, keyEnv string) error {
	if base == "" {
		return nil
	}
	if err := CheckEndpointURL(base); err != nil {
		return fmt.Errorf("base_url: %w", err)
	}
	for _, name := range secret.EnvReferences(base) {
		if err := CheckKeyVariable(name); err != nil {
			return fmt.Errorf("base_url: %w (write $$ for a dollar sign)", err)
		}
	}
	if keyEnv == "" || b.isReplay {
		return nil
	}
	if err := CheckKeyVariable(keyEnv); err != nil {
		return fmt.Errorf("api_key_env: %w", err)
	}
	return nil
}

// CheckEndpointURL returns an error if text is not a valid http or https URL of an endpoint.
func CheckEndpointURL(text string) error {
	if _, err := outbound.ParseURL(text); err != nil {
		return fmt.Errorf("%q is not an address like http://127.0.0.1:8000/v1", secret.RedactURL(text))
	}
	return nil
}

// CheckKeyVariable returns an error if the environment variable that should contain an API key is
// unset or empty.
func CheckKeyVariable(env string) error {
	if os.Getenv(env) == "" {
		return fmt.Errorf("the environment has no %s", env)
	}
	return nil
}

// configureSimulated checks and stores the settings of a component's simulated model: script,
// quality and latency.
func (b *Backend) configureSimulated(name string, m suite.Model) error {
	part, _ := b.labels.system.Component(name)
	switch {
	case (part.Role == system.RoleRetrieval || part.Role == system.RoleSearchEngine) &&
		(m.Behavior != "" || m.Script != ""):
		return fmt.Errorf("behavior: is for models, and %s is not a model", name)
	case m.Behavior == labeled && !isLabelBased(part):
		return errors.New("behavior: labeled is for what decides or judges")
	case part.Simulate != nil && m.ScoreNoise != 0:
		return errors.New("score_noise: the system says how its critic judges")
	case m.Behavior == flaky:
		return errors.New("behavior: flaky is for what decides")
	case m.Behavior == scripted && m.Script == "":
		return errors.New("script: is required with behavior: scripted")
	case m.Behavior == scripted:
		answers, err := LoadScript(b.suite.ResolvePath(m.Script), b.parts)
		if err != nil {
			return fmt.Errorf("script: %w", err)
		}
		b.scripts[name] = answers
	case m.Behavior != "" && m.Behavior != labeled:
		return fmt.Errorf("behavior: %w",
			suggest.UnknownWordError("behavior", m.Behavior, []string{labeled, flaky, scripted}))
	case m.Script != "":
		return errors.New("script: goes with behavior: scripted")
	}
	q, err := abilityOf(m.Simulated)
	if err != nil {
		return err
	}
	if p, _ := b.suite.System().Component(name); b.allowUnknownTexts && p.Role == system.RoleRouter {
		q = q.withoutErrors()
	}
	b.abilities[name] = q
	if m.Latency == "" {
		return nil
	}
	l, err := latency.Parse(m.Latency)
	if err != nil {
		return fmt.Errorf("latency: %w", err)
	}
	b.latency[name] = l
	return nil
}

// LoadScript reads a file with scripted answers for an agent with the given components.
func LoadScript(path string, parts component.Components) (*script.Script, error) {
	text, err := file.Read(path, script.MaxBytes)
	if err != nil {
		return nil, err
	}
	if err := file.CheckYAMLComplexity(text); err != nil {
		return nil, fmt.Errorf("%s:%w", path, err)
	}
	return script.Parse(path, bytes.NewReader(text), parts)
}

// checkDeciders reports settings of simulated deciders that do not match the labels, such as an
// unknown label in confusion.
func (b *Backend) checkDeciders() error {
	for _, v := range b.suite.Variants {
		for _, p := range b.suite.System().Components {
			if p.Role != system.RoleRouter || b.scripts[p.Name] != nil {
				continue
			}
			b.fitDifficulty(p.Name, b.wirings[v.Name].form)
			var field *model.FieldError
			err := b.labels.decider(findNone, b.wirings[v.Name].form, b.abilities[p.Name], seeds{}).Validate()
			switch {
			case errors.As(err, &field):
				path := strings.ToLower(field.Field)
				if field.Key != "" {
					path += "." + field.Key
				}
				return fmt.Errorf("models.%s.%s: %w", p.Name, path, field.Err)
			case err != nil:
				return err
			}
		}
	}
	return nil
}

// fitDifficulty lowers the default difficulty of a component until the configured consistency is
// possible. A difficulty that the suite configures stays as it is.
func (b *Backend) fitDifficulty(part string, form system.AnswerFormat) {
	q := b.abilities[part]
	if q.Difficulty != nil {
		return
	}
	for steps := int(math.Round(q.difficulty * 20)); steps > 0; steps-- {
		var field *model.FieldError
		q.difficulty = float64(steps) / 20
		b.abilities[part] = q
		if err := b.labels.decider(findNone, form, q, seeds{}).Validate(); !errors.As(err, &field) ||
			field.Field != "Consistency" {
			return
		}
	}
	q.difficulty = 0
	b.abilities[part] = q
}
