package main

import (
	"evalctl/agent/studio"
	"evalctl/mocks"
)

// speakV1 has a planner's model answer as the studio's first version asks: with
// a name of its own for one action and none for what cannot be done, and with
// a prompt and parameters.
func speakV1(m *mocks.Labelled) {
	m.Confusion, m.Labels = nil, nil
	for _, action := range []string{studio.GenerateImage, studio.Inpainting, studio.AdjustParameters} {
		m.Labels = append(m.Labels, inV1(action))
	}
	label := m.Label
	m.Label = func(text string) (string, bool) {
		action, ok := label(text)
		return inV1(action), ok
	}
	m.Extra = func(text, _ string) map[string]any {
		return map[string]any{"prompt": text, "parameters": map[string]any{"style_strength": 70, "resolution": "800x600"}}
	}
}

// inV1 is an action as the studio's first version calls it. What it has no
// name for is taken for a wish of a picture.
func inV1(action string) string {
	switch action {
	case studio.AdjustParameters:
		return "parameter_adjustment"
	case studio.Unknown:
		return studio.GenerateImage
	}
	return action
}
