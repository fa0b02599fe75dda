package importer

import (
	"errors"
	"fmt"

	v2 "github.com/go-json-experiment/json"

	"evalctl/agent"
)

// shortLine is a case in the short form: a text, a label, and further strings, which are its tags.
type shortLine struct {
	ID    string            `json:"id"`
	Text  string            `json:"text"`
	Label any               `json:"label"`
	Split string            `json:"split,omitempty"`
	Tags  map[string]string `json:",inline"`
}

type fullLine struct {
	ID string `json:"id"`
	*fullTurn
	Turns []fullTurn `json:"turns,omitempty"`
	Tags  []string   `json:"tags,omitempty"`
	Split string     `json:"split,omitempty"`
}

type fullTurn struct {
	Input  agent.Turn `json:"input"`
	Expect struct {
		Label any `json:"label"`
	} `json:"expect"`
}

// line encodes the case as a line of a dataset file, in the short form if possible.
func (r row) line() ([]byte, error) {
	line, err := v2.Marshal(r.form(), v2.Deterministic(true))
	if err != nil {
		return nil, errors.New("cannot be written as JSON: is it valid UTF-8?")
	}
	if len(line) >= maxLine {
		return nil, fmt.Errorf("makes a line of more than %d MiB", maxLine>>20)
	}
	return append(line, '\n'), nil
}

func (r row) form() any {
	if len(r.turns) == 1 && r.turns[0].isPlain() {
		short := shortLine{
			ID:    r.id,
			Text:  r.turns[0].Text,
			Label: oneOrMore(r.turns[0].labels),
			Split: r.split,
			Tags:  map[string]string{},
		}
		for _, t := range r.tags {
			if t.value != "" {
				short.Tags[t.name] = t.value
			}
		}
		return short
	}
	full := fullLine{ID: r.id, Split: r.split}
	for _, t := range r.tags {
		if t.value != "" {
			full.Tags = append(full.Tags, t.name+":"+t.value)
		}
	}
	for _, t := range r.turns {
		one := fullTurn{Input: t.Turn}
		one.Expect.Label = oneOrMore(t.labels)
		full.Turns = append(full.Turns, one)
	}
	if len(full.Turns) == 1 {
		full.fullTurn, full.Turns = &full.Turns[0], nil
	}
	return full
}

func (t turn) isPlain() bool {
	return len(t.History) == 0 && len(t.Documents) == 0 && len(t.Tools) == 0 && len(t.State) == 0
}

func oneOrMore(labels []string) any {
	if len(labels) == 1 {
		return labels[0]
	}
	return labels
}
