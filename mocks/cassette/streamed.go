package cassette

import (
	"encoding/json"
	"slices"
	"strings"

	"evalctl/mocks/jsontext"
	"evalctl/mocks/random"
)

// RedactResponse takes secrets out of a whole answer: those that Scrub finds, and those that
// the lines of a stream tell in pieces, which a reader puts together.
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

// dataOf is what a line of a stream says: the value of its JSON or, of an event, its text;
// nil: nothing.
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

// plain is a text that is no JSON.
type plain string

// eachText has every string of a value replaced, by where it stands: under which names, at
// which places of lists, and in which of the choices or calls that are told by an index.
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

// speech is what stands at each place, piece by piece.
type speech map[uint64][]string

// scrub takes secrets out of what the pieces say together; false: there are none. What is
// said again and again, as the name of a model is, is nobody's piece: there only what is
// known is a secret.
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

// again is a line with the next piece of each place in it. One that says what it said stays
// as it is.
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
