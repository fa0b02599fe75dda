package importer

import (
	"errors"

	v2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"evalctl/agent"
)

// sample is a line of OpenAI Evals, in the format of the basic templates in docs/build-eval.md of
// github.com/openai/evals. input is a text or a chat, and ideal an answer or a list of answers.
// Other fields are for graders and are ignored.
type sample struct {
	Input jsontext.Value `json:"input"`
	Ideal jsontext.Value `json:"ideal"`
}

// readEvals imports a samples.jsonl of OpenAI Evals. Each answer becomes a label. IDs are
// generated, and cases have no split.
func readEvals(j *job) error {
	return eachObject(j, j.Path, func(at Position, s sample) error {
		input, err := s.turn()
		if err != nil {
			return j.reject(at, "input: "+err.Error())
		}
		labels, err := s.labels()
		if err != nil {
			return j.reject(at, "ideal: "+err.Error())
		}
		turns := []turn{{Turn: input, labels: labels}}
		return j.add(row{place: at, id: j.made.id("openai-evals", j.split, turns), turns: turns})
	})
}

func (s sample) turn() (agent.Turn, error) {
	switch s.Input.Kind() {
	case '"':
		var t agent.Turn
		return t, unmarshal(s.Input, &t.Text)
	case '[':
		var chat []message
		if err := unmarshal(s.Input, &chat); err != nil {
			return agent.Turn{}, err
		}
		return chatTurn(chat)
	}
	return agent.Turn{}, errors.New("is neither a text nor a chat")
}

func (s sample) labels() ([]string, error) {
	switch s.Ideal.Kind() {
	case '"':
		labels := make([]string, 1)
		return labels, unmarshal(s.Ideal, &labels[0])
	case '[':
		var labels []string
		err := unmarshal(s.Ideal, &labels)
		return distinct(labels), err
	}
	return nil, errors.New("is neither an answer nor a list of them")
}

func unmarshal(value jsontext.Value, to any) error {
	if err := v2.Unmarshal(value, to); err != nil {
		return errors.New(explain(err))
	}
	return nil
}
