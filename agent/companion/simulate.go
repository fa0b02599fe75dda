package companion

import (
	"encoding/json"
	"strings"

	"evalctl/agent/system"
)

// keywordDecider returns a decider without a model, for simulations: it decides by keywords.
func keywordDecider(system.Options) (func(string) system.Decision, error) {
	return func(text string) system.Decision {
		if keyword(text) == "" {
			return system.Decision{Label: normalChat}
		}
		return system.Decision{Label: knowledgeQuery,
			Slots: map[string]string{"keywords": strings.Join(wordsOf(text), " ")}}
	}, nil
}

// answerFormat describes the deciding model's answer format for simulations: the query is a nested
// object.
func answerFormat(system.SettingValues) system.AnswerFormat {
	return system.AnswerFormat{
		SlotsInExtra: true,
		SlotValue: func(name string, accepted []string) string {
			if name == "keywords" {
				return strings.Join(accepted[:min(len(accepted), 3)], " ")
			}
			return accepted[0]
		},
		ExtraFields: func(_ string, slots map[string]string) map[string]any {
			return map[string]any{"query_params": paramsOf(slots)}
		},
	}
}

// paramsOf converts the slots of a decision to the query object of the prompt; nil: no slots.
func paramsOf(slots map[string]string) map[string]any {
	date, words := slots["date"], strings.Fields(slots["keywords"])
	if date == "" && len(words) == 0 {
		return nil
	}
	params := map[string]any{"date": nil, "keywords": append([]string{}, words...)}
	from, to, isRange := strings.Cut(date, "..")
	switch {
	case isRange && !strings.Contains(date, ","):
		params["date_range"] = map[string]string{"from": from, "to": to}
	case date != "":
		params["date"] = date
	}
	return params
}

// simulateReply returns a simulated answer of the chat model, with one or two messages.
func simulateReply(s system.SimulatedRequest) system.SimulatedReply {
	type object = map[string]any
	first, second := splitSentences(s.SampleText)
	list := []object{{"content": first, "send_delay_seconds": 1 + s.Seed%3}}
	if second != "" && s.Seed%2 == 0 {
		list = append(list, object{"content": second, "send_delay_seconds": 2 + s.Seed%4})
	}
	return jsonReply(object{"replies": list})
}

// splitSentences splits a text after a sentence that ends in its last two thirds, if there is one.
func splitSentences(words string) (first, second string) {
	for i, r := range words {
		if at := i + len(string(r)); strings.ContainsRune("。！？.!?", r) && at >= len(words)/3 && at < len(words) {
			return strings.TrimSpace(words[:at]), strings.TrimSpace(words[at:])
		}
	}
	return words, ""
}

// simulateSummary returns a simulated summary of a day: the user's messages, joined.
func simulateSummary(s system.SimulatedRequest) system.SimulatedReply {
	_, lines, _ := strings.Cut(s.Text, "\n")
	var userMessages []string
	for l := range strings.SplitSeq(lines, "\n") {
		if content, ok := strings.CutPrefix(l, "user: "); ok {
			userMessages = append(userMessages, content)
		}
	}
	whole := truncateRunes(strings.Join(userMessages, " "), 300)
	if whole == "" {
		whole = s.SampleText
	}
	topics := wordsOf(whole)
	return jsonReply(map[string]any{"summary": whole, "topics": topics[:min(len(topics), 3)],
		"key_points": userMessages[:min(len(userMessages), 1)]})
}

func jsonReply(v any) system.SimulatedReply {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err) // cannot happen: strings and numbers can always be encoded
	}
	return system.SimulatedReply{Content: string(text)}
}
