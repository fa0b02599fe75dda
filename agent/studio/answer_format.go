package studio

import (
	"slices"
	"strings"

	"evalctl/agent/system"
)

// recognize knows the first version's prompts by the name that they offer.
func recognize(prompt string) system.Values {
	if strings.Contains(prompt, parameterAdjustment) {
		return system.Values{"profile": string(V1)}
	}
	return nil
}

// form is how a profile asks: the first version with a name of its own for one
// action and none for what cannot be done, which is taken for a wish of a
// picture; in English, with a prompt that holds subject and style, and parameters.
func form(v system.Values) system.AnswerFormat {
	if v["profile"] != string(V1) {
		return system.AnswerFormat{}
	}
	return system.AnswerFormat{
		LabelName: func(action string) string {
			if action == Unknown {
				return generateImage
			}
			return nameV1(action)
		},
		Slot: func(name string, accepted []string) string {
			if name == "style" {
				return englishStyle(accepted)
			}
			return english(accepted)
		},
		ExtraFields: func(text string, slots map[string]string) map[string]any {
			words := slices.DeleteFunc([]string{slots["subject"], slots["style"]}, blank)
			if len(words) == 0 {
				words = append(words, text) // there is no translator here
			}
			return map[string]any{"prompt": strings.Join(words, ", "), "parameters": map[string]any{"style_strength": 70, "resolution": "800x600"}}
		},
	}
}

// english is the first text in English, else the first.
func english(texts []string) string {
	return texts[max(0, slices.IndexFunc(texts, func(t string) bool { return !inOtherScript(t) }))]
}

// englishStyle calls a style by a name that has one of the accepted in it.
func englishStyle(accepted []string) string {
	styles, _ := shippedStyles() // Open has told of what is wrong with them
	for _, s := range styles {
		names := slices.DeleteFunc(s.Names(), inOtherScript)
		if len(names) == 0 || !slices.Contains(s.Names(), accepted[0]) {
			continue
		}
		for _, name := range names {
			if slices.ContainsFunc(accepted, func(a string) bool { return findWord(strings.ToLower(name), strings.ToLower(a)) >= 0 }) {
				return name
			}
		}
		accepted = append(slices.Clone(accepted), names[0])
	}
	return english(accepted)
}
