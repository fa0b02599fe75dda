package foreign

import (
	"fmt"
	"strings"
	"time"

	"evalctl/agent/system"
)

// Contract returns the contract of all external agents: which fields a case may have.
func Contract() system.Contract {
	return system.Contract{LabelField: "label", AllowTools: true, AllowAnyOption: true}
}

// Component declares the external agent as a component. at returns its address for given settings.
func Component(at func(system.SettingValues) string) system.Component {
	return system.Component{
		Name:             Node,
		Role:             system.RoleRouter,
		URL:              at,
		UsesVariantModel: func(system.SettingValues) bool { return false },
	}
}

// PathSettings returns the settings for the places of the values in an answer.
func PathSettings() []system.Setting {
	p := DefaultPaths()
	label := PathSetting("label-path", "label", p.Label)
	label.Help += "; without it, the label is found under a usual name: " + strings.Join(usualNames, ", ")
	return []system.Setting{
		label,
		PathSetting("confidence-path", "confidence, 0..1", p.Confidence),
		PathSetting("text-path", "text", p.Text),
		PathSetting("tokens-in-path", "tokens that were read", p.TokensIn),
		PathSetting("tokens-out-path", "tokens that were written", p.TokensOut),
		PathSetting("events-path", "list of its events", p.Events),
		PathSetting("error-path", "error", p.Error),
	}
}

// PathSetting returns the setting for the place of one value in an answer. what names the value in
// the help text.
func PathSetting(name, what, defaultValue string) system.Setting {
	return system.Setting{
		Name:        name,
		Help:        "`PATH` in an answer of its " + what + ": a JSON Pointer (/a/b), or of gjson (a.b)",
		Default:     defaultValue,
		AllowCommas: true,
		Check:       CheckPath,
	}
}

// PathsFromSettings returns the paths that the settings contain.
func PathsFromSettings(v system.SettingValues) AnswerPaths {
	return AnswerPaths{
		Label:      v["label-path"],
		Confidence: v["confidence-path"],
		Text:       v["text-path"],
		TokensIn:   v["tokens-in-path"],
		TokensOut:  v["tokens-out-path"],
		Events:     v["events-path"],
		Error:      v["error-path"],
		Chunk:      v["chunk-path"],
		ID:         v["id-path"],
	}
}

const (
	defaultTimeout = "60s"
	maxTimeout     = time.Hour
)

// TimeoutSetting returns the setting turn-timeout, which limits the time for an answer.
func TimeoutSetting() system.Setting {
	return system.Setting{
		Name:    "turn-timeout",
		Help:    "`TIME` that an answer may take",
		Default: defaultTimeout,
		Check:   checkTimeout,
	}
}

func checkTimeout(value string) error {
	if d, err := time.ParseDuration(value); err != nil || d <= 0 || d > maxTimeout {
		return fmt.Errorf("%q is not a duration up to %v, such as 30s", value, maxTimeout)
	}
	return nil
}

// TimeoutFromSettings returns the value of the setting turn-timeout.
func TimeoutFromSettings(v system.SettingValues) time.Duration {
	d, _ := time.ParseDuration(v["turn-timeout"]) // already checked
	return d
}
