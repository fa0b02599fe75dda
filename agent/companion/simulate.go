package companion

import (
	"encoding/json"
	"strings"

	"evalctl/agent/system"
)

// guess makes of a text that nobody has labelled what its words say.
func guess(system.Options) (func(string) system.Decision, error) {
	return func(text string) system.Decision {
		if keyword(text) == "" {
			return system.Decision{Label: normalChat}
		}
		return system.Decision{Label: knowledgeQuery, Slots: map[string]string{"keywords": strings.Join(wordsOf(text), " ")}}
	}, nil
}

// form is how the deciding model is asked to answer: what is looked for stands in an
// object of its own.
func form(system.Values) system.AnswerFormat {
	return system.AnswerFormat{
		SlotsInExtra: true,
		Slot: func(name string, accepted []string) string {
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

// paramsOf says slots as the prompt asks for them; nil where there are none.
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

// answers is what a simulated model says as the companion: one message, or two.
func answers(s system.SimulatedRequest) system.SimulatedReply {
	type said = map[string]any
	first, second := halves(s.SampleText)
	list := []said{{"content": first, "send_delay_seconds": 1 + s.Seed%3}}
	if second != "" && s.Seed%2 == 0 {
		list = append(list, said{"content": second, "send_delay_seconds": 2 + s.Seed%4})
	}
	return spoken(said{"replies": list})
}

// halves parts words after a sentence in their midst, if there is one.
func halves(words string) (first, second string) {
	for i, r := range words {
		if at := i + len(string(r)); strings.ContainsRune("。！？.!?", r) && at >= len(words)/3 && at < len(words) {
			return strings.TrimSpace(words[:at]), strings.TrimSpace(words[at:])
		}
	}
	return words, ""
}

// summarises is what a simulated model makes of a day: what the user has said.
func summarises(s system.SimulatedRequest) system.SimulatedReply {
	_, lines, _ := strings.Cut(s.Text, "\n")
	var said []string
	for l := range strings.SplitSeq(lines, "\n") {
		if content, ok := strings.CutPrefix(l, "user: "); ok {
			said = append(said, content)
		}
	}
	whole := cut(strings.Join(said, " "), 300)
	if whole == "" {
		whole = s.SampleText
	}
	topics := wordsOf(whole)
	return spoken(map[string]any{"summary": whole, "topics": topics[:min(len(topics), 3)], "key_points": said[:min(len(said), 1)]})
}

func spoken(v any) system.SimulatedReply {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err) // texts and numbers always can be
	}
	return system.SimulatedReply{Content: string(text)}
}
