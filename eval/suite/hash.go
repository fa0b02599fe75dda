package suite

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"maps"

	"github.com/goccy/go-yaml"

	"evalctl/agent/file"
	"evalctl/agent/secret"
	"evalctl/agent/system"
)

// hash returns a hash of everything that influences a variant's answers. Runs with the same hash
// are comparable. It omits names, secrets and settings with their default value, so that a new
// setting does not change old hashes. It also omits models that the variant does not use. Files and
// training sets are hashed by content.
func (s Suite) hash(v Variant, version string, trainingSet []system.LabeledExample) (string, error) {
	settings := s.hashableSettings(v)
	var models map[string]Model
	scripts := map[string][]byte{}
	for name, m := range s.Models {
		if !s.usesSuiteModel(v, name) {
			continue
		}
		if models == nil {
			models = map[string]Model{}
		}
		if m.BaseURL = secret.RedactURL(m.BaseURL); m.Script == "" {
			models[name] = m
			continue
		}
		script, err := file.Read(s.ResolvePath(m.Script), maxSuite)
		if err != nil {
			return "", fmt.Errorf("models.%s.script: %w", name, err)
		}
		m.Script, scripts[name] = "", script
		models[name] = m
	}
	given, err := yaml.MarshalWithOptions(Suite{
		Target:       s.TargetOf(v),
		Timeout:      s.Timeout,
		DecisionOnly: s.DecisionOnly,
		OOSLabel:     s.OOSLabel,
		Aliases:      s.Aliases,
		Models:       models,
		Variants: Variants{{Settings: settings, Model: v.Model, BaseURL: secret.RedactURL(v.BaseURL),
			KeyEnv: v.KeyEnv}},
	}, yaml.JSON(), yaml.OmitZero())
	if err != nil {
		return "", err
	}
	if IsBaselineModel(v.Model) {
		trainingHash, err := trainingSetHash(trainingSet)
		if err != nil {
			return "", err
		}
		version += trainingHash
	}
	b, err := json.Marshal([]any{json.RawMessage(given), scripts, version})
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:8]), nil
}

// hashableSettings returns the settings of a variant that differ from their defaults. Files are
// replaced by hashes of their content, and secrets are removed.
func (s Suite) hashableSettings(v Variant) map[string]string {
	settings := s.effectiveSettings(v)
	for _, set := range s.SystemOf(v).Settings {
		value, ok := settings[set.Name]
		switch {
		case ok && set.IsFile:
			settings[set.Name] = set.ReplaceElements(value,
				func(e system.SettingElement) string { return contentHash(s.ResolvePath(e.Text)) })
		case ok:
			settings[set.Name] = set.Redact(value)
		}
	}
	return settings
}

// PromptHash returns a hash of the prompts of a variant, or "" if the variant uses the default
// prompts. Reports use it to detect changed prompts.
func (s Suite) PromptHash(v Variant) string {
	settings, text := s.hashableSettings(v), ""
	for _, set := range s.SystemOf(v).Settings {
		if value, ok := settings[set.Name]; ok && set.IsPrompt {
			text += fmt.Sprintf("%s=%q\n", set.Name, value)
		}
	}
	if text == "" {
		return ""
	}
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:8])
}

// usedPrompts returns the prompts whose settings the variant uses.
func (s Suite) usedPrompts(v Variant, prompts map[string]string) map[string]string {
	used, values := maps.Clone(prompts), s.SettingValues(v)
	for _, set := range s.SystemOf(v).Settings {
		if !set.IsUsed(values) {
			delete(used, set.Name)
		}
	}
	return used
}

// contentHash returns a hash of the content of a file, or "none" if the file cannot be read. A
// system that needs the file reports the error.
func contentHash(path string) string {
	f, err := file.Open(path)
	if err != nil {
		return "none"
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "none"
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}
