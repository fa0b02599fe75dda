package cassette

import (
	"encoding/json"
	"slices"
	"strings"

	"evalctl/mocks/jsontext"
	"evalctl/mocks/random"
)

// RedactResponse removes secrets from a complete response body, including those that are split over
// several events of a stream. clean removes configured secrets and may be nil.
func RedactResponse(text string, clean func(string) string) string {
	text = Redact(text, clean)
	if !strings.Contains(strings.TrimSpace(text), "\n") {
		return text
	}
	lines := strings.SplitAfter(text, "\n")
	texts := streamTexts{}
	for _, line := range lines {
		mapTexts(dataOf(line), 0, func(at uint64, text string) string {
			texts[at] = append(texts[at], text)
			return text
		})
	}
	if !texts.redact(clean) {
		return text
	}
	for i, line := range lines {
		lines[i] = texts.rewriteLine(line)
	}
	return strings.Join(lines, "")
}

// dataOf returns the data of a line of an event stream: decoded JSON, or text if it is not JSON;
// nil: the line has no data.
func dataOf(line string) any {
	data, isEvent := strings.CutPrefix(line, "data:")
	data = strings.TrimSpace(data)
	switch v, err := jsontext.Parse([]byte(data)); {
	case err == nil:
		return v
	case isEvent:
		return plainText(data)
	}
	return nil
}

// plainText is the data of an event that is not JSON.
type plainText string

// mapTexts replaces every string in a JSON value by the result of replace. at is a hash of the
// string's position: names, list indexes, and the index fields of choices and tool calls.
func mapTexts(value any, at uint64, replace func(at uint64, text string) string) any {
	switch v := value.(type) {
	case string:
		return replace(at, v)
	case plainText:
		return plainText(replace(at, string(v)))
	case []any:
		for i, one := range v {
			v[i] = mapTexts(one, random.Mix(at, uint64(i)), replace)
		}
	case jsontext.Object:
		if index, ok := v.Find("index").(json.Number); ok {
			at = random.Hash(at, string(index))
		}
		for i, m := range v {
			v[i].Value = mapTexts(m.Value, random.Hash(at, m.Key), replace)
		}
	}
	return value
}

// streamTexts contains the strings of a stream by their position in the JSON of an event; each has
// one piece per line.
type streamTexts map[uint64][]string

// redact removes secrets from the joined pieces at each position and reports whether there were
// any. If all pieces are equal, such as a model name, joining them would create false matches. For
// those only clean applies, not the patterns.
func (s streamTexts) redact(clean func(string) string) (changed bool) {
	for at, pieces := range s {
		joined := strings.Join(pieces, "")
		after := joined
		switch {
		case slices.ContainsFunc(pieces, func(p string) bool { return p != pieces[0] }):
			after = Redact(joined, clean)
		case clean != nil:
			after = clean(joined)
		}
		if after != joined {
			s[at], changed = splitChanged(pieces, after), true
		}
	}
	return changed
}

// rewriteLine returns a line of the stream with its redacted strings. An unchanged line keeps its
// formatting.
func (s streamTexts) rewriteLine(line string) string {
	changed := false
	value := mapTexts(dataOf(line), 0, func(at uint64, text string) (now string) {
		now, s[at] = s[at][0], s[at][1:]
		changed = changed || now != text
		return now
	})
	if !changed {
		return line
	}
	data := strings.TrimSpace(strings.TrimPrefix(line, "data:"))
	prefix, suffix, _ := strings.Cut(line, data)
	if text, ok := value.(plainText); ok {
		return prefix + string(text) + suffix
	}
	return prefix + string(jsontext.AppendValue(nil, value)) + suffix
}
