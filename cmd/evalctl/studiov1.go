package main

import (
	"slices"
	"strings"

	"evalctl/agent/studio"
	"evalctl/mocks/model"
)

// adjustV1 is what the studio's first version calls one action.
const adjustV1 = "parameter_adjustment"

// asksV1 tells a question of the first version by the name that it offers.
func asksV1(r model.Request) bool {
	return slices.ContainsFunc(r.Messages, func(m model.Message) bool {
		return m.Role == "system" && strings.Contains(m.Text, adjustV1)
	})
}

// inV1 is a planner's model that answers as the studio's first version asks:
// with a name of its own for one action and none for what cannot be done, and
// with a prompt and parameters. It is nil for other systems.
func (l labels) inV1(like *model.Labelled) *model.Labelled {
	if !l.slots {
		return nil
	}
	m := &model.Labelled{Field: like.Field, Accuracy: like.Accuracy, Seed: like.Seed, Confidence: like.Confidence,
		Slots: like.Slots, SlotAccuracy: like.SlotAccuracy}
	for _, action := range []string{studio.GenerateImage, studio.Inpainting, studio.AdjustParameters} {
		m.Labels = append(m.Labels, inV1(action))
	}
	m.Label = func(text string) (string, bool) {
		action, ok := like.Label(text)
		return inV1(action), ok
	}
	m.Extra = func(text, _ string) map[string]any {
		return map[string]any{"prompt": text, "parameters": map[string]any{"style_strength": 70, "resolution": "800x600"}}
	}
	return m
}

// inV1 is an action as the studio's first version calls it. What it has no
// name for is taken for a wish of a picture.
func inV1(action string) string {
	switch action {
	case studio.AdjustParameters:
		return adjustV1
	case studio.Unknown:
		return studio.GenerateImage
	}
	return action
}
