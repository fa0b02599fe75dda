package newsroom

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"slices"

	"evalctl/agent/llm"
)

// read takes an agent's answer: what it has made, or what it asks. Of what stands
// beside the artefact, what is of no use is left out.
func (r role) read(ctx context.Context, answer string) (made artefacts, asked list[question], notExact string, err error) {
	members, normalized, err := r.find(ctx, answer)
	if err != nil {
		return nil, nil, "", err
	}
	if len(normalized) > 0 {
		notExact = normalized[0]
	}
	_ = json.Unmarshal(members["questions"], &asked) // which are none where there are none
	artefact := r.writes[0]
	if _, wrapped := members[artefact]; !wrapped && r.key != "" && members[r.key] != nil {
		if members[artefact], err = json.Marshal(members); err != nil {
			return nil, nil, "", err
		}
	}
	if members[artefact] == nil {
		return nil, asked, "", llm.MissingFieldError(artefact)
	}
	r.unnest(members)
	made = artefacts{}
	for _, field := range r.writes {
		v, unread := readers[field](members[field])
		switch {
		case unread == nil:
			made[field] = v
		case field == artefact:
			return nil, asked, "", unread
		}
	}
	return made, asked, notExact, nil
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
func (r role) find(ctx context.Context, answer string) (members map[string]json.RawMessage, normalized []string, err error) {
	for _, key := range []string{r.writes[0], "questions", cmp.Or(r.key, r.writes[0])} {
		found, normalized, unfound := llm.Members(ctx, r.name, answer, key, append(slices.Clone(r.writes), "questions", r.key)...)
		if unfound == nil {
			return found, normalized, nil
		}
		if err == nil {
			err = unfound
		}
	}
	return nil, nil, err
}

// kindOf is why an answer is of no use.
func kindOf(err error) llm.ErrorKind {
	var field *llm.FieldError
	if errors.As(err, &field) {
		return cmp.Or(field.Kind, llm.KindSchema)
	}
	return llm.KindMalformedJSON
}
