package newsroom

import (
	"encoding/json"

	"evalctl/agent/llm"
)

// fieldReaders contains a parser for each state field that an agent's answer may contain.
var fieldReaders = map[string]func(json.RawMessage) (any, error){
	"creativeBrief":     readOne[brief],
	"evidencePack":      readOne[evidence],
	"bodyBlocks":        readMany[block],
	"referenceAnalyses": readMany[analysis],
	"layoutSpec":        readOne[layout],
	"imagePlans": func(raw json.RawMessage) (any, error) {
		v, err := readMany[imagePlan](raw)
		if plans, ok := v.(list[imagePlan]); ok {
			return withIDs(plans), nil
		}
		return nil, err
	},
	"generatedContent": readOne[content],
	// asset IDs come only from the image tool, never from an answer
	"generatedImageAssetIds": func(json.RawMessage) (any, error) { return nil, errNoContent },
	"reviewFeedback":         readReview,
	"qualityScores": func(raw json.RawMessage) (any, error) {
		var q scores
		_ = q.UnmarshalJSON(raw) // never fails; invalid scores are dropped
		return q, nil            // even empty scores replace those of an earlier review
	},
}

// errNoContent is the error for an artifact without its required content.
var errNoContent = &llm.FieldError{Problem: "holds nothing that is of use"}

func readOne[T interface{ usable() bool }](raw json.RawMessage) (any, error) {
	var v T
	if json.Unmarshal(raw, &v) != nil || !v.usable() {
		return nil, errNoContent
	}
	return &v, nil
}

func readMany[T interface{ usable() bool }](raw json.RawMessage) (any, error) {
	var l list[T]
	if json.Unmarshal(raw, &l) != nil || len(l) == 0 {
		return nil, errNoContent
	}
	return l, nil
}

// readReview parses a review. The review must contain the field approved.
func readReview(raw json.RawMessage) (any, error) {
	var review struct {
		Approved json.RawMessage `json:"approved"`
		Comments texts           `json:"comments"`
	}
	if json.Unmarshal(raw, &review) != nil {
		return nil, errNoContent
	}
	is, ok := parseBool(review.Approved)
	if !ok {
		return nil, &llm.FieldError{Field: "approved", Problem: "says neither yes nor no"}
	}
	return &feedback{Approved: is, Comments: review.Comments}, nil
}
