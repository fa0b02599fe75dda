package llm

import (
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// frame contains the fields of a stream event that this package reads. Other fields are skipped for
// speed: decoding dominates the cost of a stream.
type frame struct {
	Choices []frameChoice  `json:"choices"`
	Usage   jsontext.Value `json:"usage"` // token counts; invalid ones are ignored
}

type frameChoice struct {
	Index        int        `json:"index"`
	Delta        frameDelta `json:"delta"`
	FinishReason string     `json:"finish_reason"`
}

type frameDelta struct {
	Content          content      `json:"content"`
	ReasoningContent string       `json:"reasoning_content"`
	Reasoning        optionalText `json:"reasoning"`
	Refusal          string       `json:"refusal"`
}

func decodeFrame(data []byte) (f frame, err error) {
	err = json.Unmarshal(data, &f, lenient)
	return f, err
}

// usageIn decodes the token counts of an answer. ok is false if they are missing or invalid, which
// does not invalidate the answer.
func usageIn(raw jsontext.Value) (u Usage, ok bool) {
	var counts struct {
		Prompt     int `json:"prompt_tokens"`
		Completion int `json:"completion_tokens"`
		Total      int `json:"total_tokens"`
		Details    struct {
			Cached int `json:"cached_tokens"`
		} `json:"prompt_tokens_details"`
	}
	if len(raw) == 0 || raw.Kind() != '{' || json.Unmarshal(raw, &counts, lenient) != nil {
		return Usage{}, false
	}
	u = Usage{
		PromptTokens:     counts.Prompt,
		CompletionTokens: counts.Completion,
		Total:            counts.Total,
		CachedTokens:     counts.Details.Cached,
	}
	return u.credible(), true
}
