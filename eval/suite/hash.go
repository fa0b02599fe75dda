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

// hash is of all that a variant's answers depend on, as far as it is given and
// not the usual: a setting that comes to be changes nothing where it is not
// used. Names change no answer, nor do the secrets of addresses, and files count
// by what is in them, as does what a floor learns.
func (s Suite) hash(v Variant, version string, taught []system.Example) (string, error) {
	settings := s.hashed(v)
	models, scripts := maps.Clone(s.Models), map[string][]byte{}
	for name, m := range models {
		if m.BaseURL = secret.RedactURL(m.BaseURL); m.Script == "" {
			models[name] = m
			continue
		}
		script, err := file.Read(s.Path(m.Script), maxSuite)
		if err != nil {
			return "", fmt.Errorf("models.%s.script: %w", name, err)
		}
		m.Script, scripts[name] = "", script
		models[name] = m
	}
	given, err := yaml.MarshalWithOptions(Suite{Target: s.Target, Timeout: s.Timeout, DecisionOnly: s.DecisionOnly, OOSLabel: s.OOSLabel,
		Models: models, Variants: Variants{{Settings: settings, Model: v.Model, BaseURL: secret.RedactURL(v.BaseURL), KeyEnv: v.KeyEnv}}}, yaml.JSON(), yaml.OmitZero())
	if err != nil {
		return "", err
	}
	if IsBaselineModel(v.Model) {
		learned, err := taughtVersion(taught)
		if err != nil {
			return "", err
		}
		version += learned
	}
	b, err := json.Marshal([]any{json.RawMessage(given), scripts, version})
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:8]), nil
}

// hashed are a variant's settings that are given and not the usual, with files by their content and
// without secrets.
func (s Suite) hashed(v Variant) map[string]string {
	settings := s.effective(v)
	for _, set := range s.System().Settings {
		value, ok := settings[set.Name]
		switch {
		case ok && set.IsFile:
			settings[set.Name] = set.Rewrite(value, func(e system.Element) string { return contentHash(s.Path(e.Text)) })
		case ok:
			settings[set.Name] = set.WithoutSecrets(value)
		}
	}
	return settings
}

// Prompts identifies the prompts that a variant sets, by their content; "": it has the usual ones.
func (s Suite) Prompts(v Variant) string {
	settings, text := s.hashed(v), ""
	for _, set := range s.System().Settings {
		if value, ok := settings[set.Name]; ok && set.Prompt {
			text += fmt.Sprintf("%s=%q\n", set.Name, value)
		}
	}
	if text == "" {
		return ""
	}
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:8])
}

// contentHash is of a file's content. One that cannot be read has none: whether
// that matters, its system knows.
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
