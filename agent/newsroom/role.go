package newsroom

import (
	"cmp"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"evalctl/agent/llm"
)

// role is what an agent is there for: which fields of the state it is shown, and
// which are its own.
type role struct {
	name   string
	part   string   // of the declaration, that its model stands behind
	reads  []string // in the order in which they are shown
	writes []string // the artefact, and what stands beside it
	key    string   // of the artefact, by which it is known where it stands alone
}

// roles are the eight agents, in the order of the decisions.
func roles() []role {
	return []role{
		{name: briefAgent, part: "brief", key: "topic",
			reads:  []string{"messages", "referenceImages", "layoutPreference", "agentClarificationKeys", "creativeBrief"},
			writes: []string{"creativeBrief"}},
		{name: researchAgent, part: "research", key: "facts",
			reads:  []string{"messages", "creativeBrief", "evidencePack", "reviewFeedback"},
			writes: []string{"evidencePack", "bodyBlocks"}},
		{name: referenceAgent, part: "reference",
			reads:  []string{"messages", "referenceImages", "creativeBrief", "reviewFeedback"},
			writes: []string{"referenceAnalyses"}},
		{name: layoutAgent, part: "layout", key: "sections",
			reads:  []string{"messages", "creativeBrief", "bodyBlocks", "referenceAnalyses", "layoutPreference", "reviewFeedback"},
			writes: []string{"layoutSpec"}},
		{name: imagePlanAgent, part: "image_plan",
			reads:  []string{"messages", "creativeBrief", "layoutSpec", "referenceAnalyses", "generatedContent", "reviewFeedback"},
			writes: []string{"imagePlans"}},
		{name: writerAgent, part: "writer", key: "body",
			reads:  []string{"messages", "creativeBrief", "evidencePack", "bodyBlocks", "layoutSpec", "generatedContent", "reviewFeedback"},
			writes: []string{"generatedContent"}},
		{name: imageAgent, part: "illustrator",
			reads:  []string{"messages", "imagePlans", "imageGenProvider", "generatedImageAssetIds", "generatedContent"},
			writes: []string{"generatedImageAssetIds"}},
		{name: reviewAgent, part: "review", key: "approved",
			reads: []string{"messages", "creativeBrief", "evidencePack", "layoutSpec", "referenceAnalyses", "imagePlans",
				"generatedImageAssetIds", "generatedContent"},
			writes: []string{"reviewFeedback", "qualityScores"}},
	}
}

// setting is the name of the setting that replaces an agent's prompt.
func (r role) setting() string { return strings.ReplaceAll(r.part, "_", "-") }

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

// has tells whether the role may read a field.
func (r role) sees(field string) bool { return slices.Contains(r.reads, field) }

// headlines are what the user is told of an agent's work once it is done.
var headlines = map[string]string{
	briefAgent:     "创意简报整理好了。",
	researchAgent:  "资料和要点准备好了。",
	referenceAgent: "参考图分析好了。",
	layoutAgent:    "版式安排好了。",
	imagePlanAgent: "配图方案写好了。",
	writerAgent:    "正文写好了。",
	imageAgent:     "图片画好了。",
	reviewAgent:    "审核完成了。",
}
