package fault

import (
	"encoding/json"
	"slices"
	"strings"
	"unicode/utf8"

	"evalctl/mocks/jsontext"
	"evalctl/mocks/model"
	"evalctl/mocks/random"
)

// Corrupt returns the answer as the fault changes it. seed selects between several forms of damage.
// stream reports whether the answer is streamed.
func (k Kind) Corrupt(a model.Answer, stream bool, seed uint64) model.Answer {
	if a.ErrorResponse != nil {
		return a
	}
	switch k {
	case EmptyContent:
		a.Content, a.ToolCalls = "", nil
	case MalformedJSON:
		mutateJSON(&a, func(s string) string { return brokenJSON(s, seed) })
	case WrongSchema:
		mutateJSON(&a, func(s string) string { return wrongSchema(s, random.Mix(seed, 7)%2 == 0) })
	case LowConfidence:
		mutateJSON(&a, lowConfidence)
	case TruncatedStream:
		if !stream {
			truncateAnswer(&a, seed)
		}
	}
	return a
}

// truncateAnswer cuts off the end of an answer. If the answer has tool calls, it cuts the arguments
// of the last one.
func truncateAnswer(a *model.Answer, seed uint64) {
	a.FinishReason = "length"
	last := len(a.ToolCalls) - 1
	if last < 0 {
		a.Content = randomPrefix(a.Content, seed)
		return
	}
	a.ToolCalls = slices.Clone(a.ToolCalls) // the original may belong to a script
	a.ToolCalls[last].Arguments = randomPrefix(a.ToolCalls[last].Arguments, seed)
}

// randomPrefix returns text without its end. At least one character remains and at least one is
// removed. All positions of the cut are equally likely.
func randomPrefix(text string, seed uint64) string {
	_, first := utf8.DecodeRuneInString(text)
	if first == len(text) {
		return ""
	}
	d := random.Rand{Seed: random.Mix(seed, 8)}
	n := 1 + int(d.Float64()*float64(len(text)-1))
	for n > first && !utf8.RuneStart(text[n]) {
		n--
	}
	return text[:max(n, first)]
}

// mutateJSON applies mutate to the JSON in an answer: the arguments of the tool calls, or else the
// content.
func mutateJSON(a *model.Answer, mutate func(string) string) {
	if len(a.ToolCalls) == 0 {
		a.Content = mutate(a.Content)
		return
	}
	a.ToolCalls = slices.Clone(a.ToolCalls) // the original may belong to a script
	for i, t := range a.ToolCalls {
		a.ToolCalls[i].Arguments = mutate(t.Arguments)
	}
}

// parseObject parses a JSON object. ok is false for any other text.
func parseObject(s string) (o jsontext.Object, ok bool) {
	v, err := jsontext.Parse([]byte(s))
	o, ok = v.(jsontext.Object)
	return o, ok && err == nil
}

func formatObject(o jsontext.Object) string { return string(jsontext.AppendValue(nil, o)) }

// braceRemover removes all braces, because a parser could take a complete inner object for the
// answer.
var braceRemover = strings.NewReplacer("{", "", "}", "")

// The texts before invalid JSON, and the wrong quoting in it, that real models write.
var (
	preambles = []string{"", "Here is the JSON:\n", "```json\n"}
	notations = []*strings.Replacer{
		strings.NewReplacer(),
		strings.NewReplacer(`"`, `""`),
		strings.NewReplacer(`"`, "", ":", ": "),
	}
)

// brokenJSON returns a damaged JSON object that no parser can repair: it is never valid JSON and
// contains no complete object. The object is cut at a random position, as in a truncated answer. If
// its first member is complete, the braces are removed, and quotes may be doubled or missing.
func brokenJSON(s string, seed uint64) string {
	o, ok := parseObject(s)
	if !ok || len(o) == 0 {
		return `I am not sure which one fits: {"maybe": [`
	}
	first := jsontext.Object{{Key: o[0].Key, Value: o[0].Value}}
	if _, isText := o[0].Value.(string); !isText {
		first[0].Value = ""
	}
	text := randomPrefix(formatObject(o), seed)
	d := random.Rand{Seed: random.Mix(seed, 9)}
	preamble := preambles[d.Uint64()%uint64(len(preambles))]
	if len(text) < len(formatObject(first))-len("}") {
		return preamble + "{" + braceRemover.Replace(text[1:])
	}
	return preamble + notations[d.Uint64()%uint64(len(notations))].Replace(braceRemover.Replace(text))
}

// wrongSchema returns a JSON object that violates its schema: without its first key if drop is
// true, else with an invalid value in its first text.
func wrongSchema(s string, drop bool) string {
	o, ok := parseObject(s)
	if !ok || len(o) == 0 {
		return `{"unexpected":true}`
	}
	if drop {
		return formatObject(o[1:])
	}
	for i, m := range o {
		if _, text := m.Value.(string); text {
			o[i].Value = "no_such_value"
			return formatObject(o)
		}
	}
	return formatObject(o[1:])
}

func lowConfidence(s string) string {
	o, ok := parseObject(s)
	if !ok {
		return s
	}
	const key, low = "confidence", json.Number("0.2")
	if i := o.Index(key); i >= 0 {
		o[i].Value = low
		return formatObject(o)
	}
	return formatObject(append(o, jsontext.Member{Key: key, Value: low}))
}
