package cassette

import (
	"encoding/json"
	"slices"
	"strings"

	"evalctl/mocks/jsontext"
	"evalctl/mocks/random"
)

// RedactResponse removes secrets from a complete answer, including those that are split over the
// events of a stream.
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

// dataOf returns the JSON value of a line of a stream, or the text of an event; nil: none.
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

// plainText is a text that is not JSON.
type plainText string

// mapTexts replaces every string in a value. at is a hash of its position: names, list indexes, and
// the index fields of choices or tool calls.
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

// streamTexts contains the texts at each position, one per line of the stream.
type streamTexts map[uint64][]string

// redact removes secrets from the joined texts and reports whether there were any. For a constant
// text, such as a model name, joining would create false matches, so Redact is skipped and only
// clean is applied.
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

// rewriteLine returns a line with the next text of each position. Unchanged lines keep their
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
