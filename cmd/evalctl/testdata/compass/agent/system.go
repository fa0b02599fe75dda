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
		Short:    "tells where a traveller goes",
		Contract: system.Contract{Field: "heading", Labels: []string{"south", "north"}},
		Parts: []system.Part{
			{Name: "pick", Work: system.Decides},
		},
		Settings: []system.Setting{
			{Name: mood, Help: "`HOW` it answers", Values: []string{"calm", "eager"}, Usual: "calm"},
		},
		Sources: []string{"llm", "word"},
		Guess: func(system.Options) (func(string) system.Answer, error) {
			return func(text string) system.Answer {
				if strings.Contains(text, "pole") {
					return system.Answer{Label: "south"}
				}
				return system.Answer{Label: "north"}
			}, nil
		},
		Open: func(o system.Options) (system.Opened, error) {
			return system.Opened{Agent: func(seed uint64, link func(string) system.Link) (agent.Agent, error) {
				pick, err := link("pick").Client(llm.Config{Node: "pick", Seed: seed})
				return &Agent{pick: pick, mood: o.Values[mood]}, err
			}}, nil
		},
	}
}
