package newsroom

import (
	"encoding/json"

	"evalctl/agent/llm"
)

// readers read what an agent has made, by its field.
var readers = map[string]func(json.RawMessage) (any, error){
	"creativeBrief":     one[brief],
	"evidencePack":      one[evidence],
	"bodyBlocks":        many[block],
	"referenceAnalyses": many[analysis],
	"layoutSpec":        one[layout],
	"imagePlans": func(raw json.RawMessage) (any, error) {
		v, err := many[imagePlan](raw)
		if plans, ok := v.(list[imagePlan]); ok {
			return withIDs(plans), nil
		}
		return nil, err
	},
	"generatedContent":       one[content],
	"generatedImageAssetIds": func(json.RawMessage) (any, error) { return nil, errUseless }, // pictures come of the tool alone
	"reviewFeedback":         verdict,
	"qualityScores": func(raw json.RawMessage) (any, error) {
		var q scores
		_ = q.UnmarshalJSON(raw) // never fails: what is no score is left out
		return q, nil            // those of an earlier review are not this one's
	},
}

// errUseless is an artefact without what it is there for.
var errUseless = &llm.FieldError{Problem: "holds nothing that is of use"}

func one[T interface{ usable() bool }](raw json.RawMessage) (any, error) {
	var v T
	if json.Unmarshal(raw, &v) != nil || !v.usable() {
		return nil, errUseless
	}
	return &v, nil
}

func many[T interface{ usable() bool }](raw json.RawMessage) (any, error) {
	var l list[T]
	if json.Unmarshal(raw, &l) != nil || len(l) == 0 {
		return nil, errUseless
	}
	return l, nil
}

// verdict reads a review: whether it approves must be said.
func verdict(raw json.RawMessage) (any, error) {
	var said struct {
		Approved json.RawMessage `json:"approved"`
		Comments texts           `json:"comments"`
	}
	if json.Unmarshal(raw, &said) != nil {
		return nil, errUseless
	}
	is, ok := truth(said.Approved)
	if !ok {
		return nil, &llm.FieldError{Field: "approved", Problem: "says neither yes nor no"}
	}
	return &feedback{Approved: is, Comments: said.Comments}, nil
}
