package compass

import (
	"cmp"
	"os"
	"strings"

	"evalctl/agent"
	"evalctl/agent/llm"
	"evalctl/agent/system"
)

// mood is what the setting is called, unless a test has another name for it.
var mood = cmp.Or(os.Getenv("COMPASS_SETTING"), "mood")

// System is the compass's declaration.
func System() system.System {
	return system.System{
		Name:     "compass",
		Summary:  "tells where a traveller goes",
		Contract: system.Contract{LabelField: "heading", Labels: []string{"south", "north"}},
		Components: []system.Component{
			{Name: "pick", Role: system.RoleRouter},
		},
		Settings: []system.Setting{
			{Name: mood, Help: "`HOW` it answers", Values: []string{"calm", "eager"}, Default: "calm"},
		},
		DecisionSources: []string{"llm", "word"},
		NewRuleDecider: func(system.Options) (func(string) system.Decision, error) {
			return func(text string) system.Decision {
				if strings.Contains(text, "pole") {
					return system.Decision{Label: "south"}
				}
				return system.Decision{Label: "north"}
			}, nil
		},
		Open: func(o system.Options) (system.LoadedVariant, error) {
			return system.LoadedVariant{NewAgent: func(seed uint64, link func(string) system.Endpoint) (agent.Agent, error) {
				pick, err := link("pick").NewClient(llm.Config{Node: "pick", Seed: seed})
				return &Agent{pick: pick, mood: o.SettingValues[mood]}, err
			}}, nil
		},
	}
}
