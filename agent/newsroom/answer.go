package newsroom

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"slices"

	"evalctl/agent/llm"
)

// parseAnswer parses an agent's answer. It returns the agent's artifact, its questions to the user,
// or both. Other invalid fields are dropped. notExact names the first correction that the JSON
// needed; "" if it needed none.
func (r role) parseAnswer(ctx context.Context, answer string) (results artifacts, questions list[question],
	notExact string, err error) {
	members, normalized, err := r.findObject(ctx, answer)
	if err != nil {
		return nil, nil, "", err
	}
	if len(normalized) > 0 {
		notExact = normalized[0]
	}
	_ = json.Unmarshal(members["questions"], &questions) // invalid questions count as none
	artefact := r.writes[0]
	if _, isWrapped := members[artefact]; !isWrapped && r.key != "" && members[r.key] != nil {
		if members[artefact], err = json.Marshal(members); err != nil {
			return nil, nil, "", err
		}
	}
	if members[artefact] == nil {
		return nil, questions, "", llm.MissingFieldError(artefact)
	}
	r.unnest(members)
	results = artifacts{}
	for _, field := range r.writes {
		v, unread := fieldReaders[field](members[field])
		switch {
		case unread == nil:
			results[field] = v
		case field == artefact:
			return nil, questions, "", unread
		}
	}
	return results, questions, notExact, nil
}

// unnest moves additional fields, such as the scores of a review, out of the artifact if a model
// put them inside it.
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

// findObject returns the members of the JSON object in an answer that contains the artifact,
// questions, or the fields of an artifact. normalized lists the corrections that the JSON needed.
func (r role) findObject(ctx context.Context, answer string) (members map[string]json.RawMessage,
	normalized []string, err error) {
	for _, key := range []string{r.writes[0], "questions", cmp.Or(r.key, r.writes[0])} {
		found, normalized, findErr := llm.ExtractMembers(ctx, r.name, answer, key,
			append(slices.Clone(r.writes), "questions", r.key)...)
		if findErr == nil {
			return found, normalized, nil
		}
		if err == nil {
			err = findErr
		}
	}
	return nil, nil, err
}

// errorKind returns why an answer is invalid: malformed JSON or a wrong field.
func errorKind(err error) llm.ErrorKind {
	var field *llm.FieldError
	if errors.As(err, &field) {
		return cmp.Or(field.Kind, llm.KindWrongSchema)
	}
	return llm.KindMalformedJSON
}
