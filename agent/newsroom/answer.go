package newsroom

import (
	"cmp"
	"encoding/json"
	"errors"

	"evalctl/agent/llm"
)

// read takes an agent's answer: what it has made, or what it asks. Of what stands
// beside the artefact, what is of no use is left out.
func (r role) read(answer string) (made artefacts, asked list[question], err error) {
	raw, err := r.find(answer)
	if err != nil {
		return nil, nil, err
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(raw, &members); err != nil {
		return nil, nil, err
	}
	_ = json.Unmarshal(members["questions"], &asked) // which are none where there are none
	artefact := r.writes[0]
	if _, wrapped := members[artefact]; !wrapped && r.key != "" && members[r.key] != nil {
		members[artefact] = raw
	}
	if members[artefact] == nil {
		return nil, asked, llm.Missing(artefact)
	}
	r.unnest(members)
	made = artefacts{}
	for _, field := range r.writes {
		v, unread := readers[field](members[field])
		switch {
		case unread == nil:
			made[field] = v
		case field == artefact:
			return nil, asked, unread
		}
	}
	return made, asked, nil
}

// unnest takes what should stand beside the artefact out of it, where it stands there
// alone.
func (r role) unnest(members map[string]json.RawMessage) {
	var inside map[string]json.RawMessage
	if json.Unmarshal(members[r.writes[0]], &inside) != nil {
		return
	}
	for _, field := range r.writes[1:] {
		if members[field] == nil {
			members[field] = inside[field]
		}
	}
}

// find finds the object that has the artefact, questions, or what is in an
// artefact.
func (r role) find(answer string) (raw json.RawMessage, err error) {
	for _, key := range []string{r.writes[0], "questions", cmp.Or(r.key, r.writes[0])} {
		found, unfound := llm.Extract(answer, key)
		if unfound == nil {
			return found, nil
		}
		if err == nil {
			err = unfound
		}
	}
	return nil, err
}

// kindOf is why an answer is of no use.
func kindOf(err error) llm.Kind {
	var field *llm.FieldError
	if errors.As(err, &field) {
		return cmp.Or(field.Kind, llm.KindSchema)
	}
	return llm.KindInvalid
}
