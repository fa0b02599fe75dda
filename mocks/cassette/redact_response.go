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
	said := speech{}
	for _, line := range lines {
		eachText(dataOf(line), 0, func(at uint64, text string) string {
			said[at] = append(said[at], text)
			return text
		})
	}
	if !said.scrub(clean) {
		return text
	}
	for i, line := range lines {
		lines[i] = said.again(line)
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
		return plain(data)
	}
	return nil
}

// plain is a text that is not JSON.
type plain string

// eachText replaces every string in a value. at is a hash of its position: names, list indexes, and
// the index fields of choices or tool calls.
func eachText(value any, at uint64, replace func(at uint64, text string) string) any {
	switch v := value.(type) {
	case string:
		return replace(at, v)
	case plain:
		return plain(replace(at, string(v)))
	case []any:
		for i, one := range v {
			v[i] = eachText(one, random.Mix(at, uint64(i)), replace)
		}
	case jsontext.Object:
		if index, ok := v.Find("index").(json.Number); ok {
			at = random.Hash(at, string(index))
		}
		for i, m := range v {
			v[i].Value = eachText(m.Value, random.Hash(at, m.Key), replace)
		}
	}
	return value
}

// speech contains the texts at each position, one per line of the stream.
type speech map[uint64][]string

// scrub removes secrets from the joined texts and reports whether there were any. For a constant
// text, such as a model name, joining would create false matches, so only clean applies.
func (s speech) scrub(clean func(string) string) (changed bool) {
	for at, pieces := range s {
		whole := strings.Join(pieces, "")
		after := whole
		switch {
		case slices.ContainsFunc(pieces, func(p string) bool { return p != pieces[0] }):
			after = Redact(whole, clean)
		case clean != nil:
			after = clean(whole)
		}
		if after != whole {
			s[at], changed = spread(pieces, after), true
		}
	}
	return changed
}

// again returns a line with the next text of each position. Unchanged lines keep their formatting.
func (s speech) again(line string) string {
	changed := false
	value := eachText(dataOf(line), 0, func(at uint64, text string) (now string) {
		now, s[at] = s[at][0], s[at][1:]
		changed = changed || now != text
		return now
	})
	if !changed {
		return line
	}
	was := strings.TrimSpace(strings.TrimPrefix(line, "data:"))
	before, behind, _ := strings.Cut(line, was)
	if text, ok := value.(plain); ok {
		return before + string(text) + behind
	}
	return before + string(jsontext.AppendValue(nil, value)) + behind
}
