package studio

import (
	"slices"
	"strings"

	"evalctl/agent/system"
)

// profileOfPrompt returns the setting profile that matches a planner prompt, so that the simulation
// answers in the right format. Only prompts of V1 contain parameterAdjustment.
func profileOfPrompt(prompt string) system.SettingValues {
	if strings.Contains(prompt, parameterAdjustment) {
		return system.SettingValues{"profile": string(ProfileV1)}
	}
	return nil
}

// answerFormat returns the format in which a simulated planner answers. In V1, one action has
// another name, and ActionUnknown does not exist: actionGenerateImage replaces it. V1 also answers
// in English, with an image prompt and parameters.
func answerFormat(v system.SettingValues) system.AnswerFormat {
	if v["profile"] != string(ProfileV1) {
		return system.AnswerFormat{}
	}
	return system.AnswerFormat{
		LabelName: func(action string) string {
			if action == ActionUnknown {
				return actionGenerateImage
			}
			return nameV1(action)
		},
		SlotValue: func(name string, accepted []string) string {
			if name == "style" {
				return englishStyle(accepted)
			}
			return english(accepted)
		},
		ExtraFields: func(text string, slots map[string]string) map[string]any {
			words := slices.DeleteFunc([]string{slots["subject"], slots["style"]}, isBlank)
			if len(words) == 0 {
				words = append(words, text) // a simulation does not translate
			}
			return map[string]any{"prompt": strings.Join(words, ", "),
				"parameters": map[string]any{"style_strength": 70, "resolution": "800x600"}}
		},
	}
}

// english returns the first text in Latin script, or the first text if there is none.
func english(texts []string) string {
	return texts[max(0, slices.IndexFunc(texts, func(t string) bool { return !isNonLatin(t) }))]
}

// englishStyle returns an English style name that contains one of the accepted values.
func englishStyle(accepted []string) string {
	styles, _ := shippedStyles() // errors of the styles are returned by Open
	for _, s := range styles {
		names := slices.DeleteFunc(s.Names(), isNonLatin)
		if len(names) == 0 || !slices.Contains(s.Names(), accepted[0]) {
			continue
		}
		for _, name := range names {
			if slices.ContainsFunc(accepted,
				func(a string) bool { return findWord(strings.ToLower(name), strings.ToLower(a)) >= 0 }) {
				return name
			}
		}
		accepted = append(slices.Clone(accepted), names[0])
	}
	return english(accepted)
}
