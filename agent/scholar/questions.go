package scholar

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"evalctl/agent/llm"
)

// Limits on sub-questions.
const (
	maxQuestions = 20  // or the number of documents, if that is larger
	maxQuestion  = 500 // in characters
)

// subQuestion is a sub-question in the model's answer, with the document to search.
type subQuestion struct {
	Question json.RawMessage `json:"question,omitempty"`
	DocID    json.RawMessage `json:"doc_id,omitempty"`
}

// UnmarshalJSON accepts an object, or a plain string as a question about all documents.
func (a *subQuestion) UnmarshalJSON(raw []byte) error {
	if json.Unmarshal(raw, new(string)) == nil {
		*a = subQuestion{Question: slices.Clone(raw)}
		return nil
	}
	type object subQuestion
	return json.Unmarshal(raw, (*object)(a))
}

// questionsAnswer is the answer of the model that splits a message into sub-questions.
type questionsAnswer struct {
	SubQuestions []subQuestion `json:"sub_questions"`
}

// askSubQuestions is the node that splits the user's message into search questions, with a model.
// Each question may name the document to search.
func (r *run) askSubQuestions(ctx context.Context) error {
	client, err := r.client("sub_questions")
	if err != nil {
		return err
	}
	system, err := r.Prompts.Questions.Fill(promptData{
		Documents: r.listedWithin(ctx, questionNode, r.readableDocs()),
		Count:     len(r.docs),
		Most:      r.mostQuestions(),
		Intent:    r.intent,
	})
	if err != nil {
		return err
	}
	var got questionsAnswer
	var a llm.Response
	err = r.call(ctx, func() (err error) {
		got, a, err = llm.ChatJSON[questionsAnswer](ctx, client,
			llm.Request{Messages: r.messages(system, planningTurns), Temperature: new(0.1)},
			llm.AnswerSpec{Key: "sub_questions"})
		return err
	})
	if err == nil {
		r.questions = r.validQuestions(ctx, got.SubQuestions)
		if len(r.questions) == 0 {
			err = &llm.Error{Kind: llm.KindWrongSchema, Message: "there is no sub-question in the answer"}
		}
	}
	if err != nil {
		if isInvalidAnswer(err) {
			traceFormat(ctx, questionNode, llm.TraceReason(err), err.Error())
		}
		return err
	}
	traceFormat(ctx, questionNode, a.FirstCorrection(), "")
	return nil
}

func (r *run) mostQuestions() int { return max(maxQuestions, len(r.docs)) }

// validQuestions returns the valid sub-questions without duplicates. It traces the others as
// ignored.
func (r *run) validQuestions(ctx context.Context, list []subQuestion) (taken []question) {
	seen := map[question]bool{}
	for i, a := range list {
		if len(taken) == r.mostQuestions() {
			traceIgnored(ctx, questionNode, "sub_questions", fmt.Sprintf("%d of %d", len(list)-i, len(list)),
				"", "too_many")
			break
		}
		q := question{Text: shortened(plainText(a.Question), maxQuestion)}
		if q.Text == "" {
			traceIgnored(ctx, questionNode, "sub_questions", string(a.Question), "", "empty_question")
			continue
		}
		if id := plainText(a.DocID); id != "" && !strings.EqualFold(id, "null") {
			if r.document(id) != nil {
				q.Doc = id
			} else {
				traceIgnored(ctx, questionNode, "doc_id", id, "all", "unknown_document")
			}
		}
		if !seen[q] {
			seen[q] = true
			taken = append(taken, q)
		}
	}
	return taken
}

// plainText decodes a JSON string; it returns "" for any other value.
func plainText(raw json.RawMessage) (text string) {
	if json.Unmarshal(raw, &text) != nil {
		return ""
	}
	return readable(text)
}

// questionFallback makes the user's message the only question if there are no sub-questions.
func (r *run) questionFallback(ctx context.Context, err error) {
	fallback(ctx, questionNode, questionNode, "user_question", llm.TraceReason(err))
	r.questions = []question{{Text: r.turn.Text}}
}

// readableDocs returns the documents of the turn that can be read.
func (r *run) readableDocs() (list []*document) {
	for _, d := range r.docs {
		if d.isReadable() {
			list = append(list, d)
		}
	}
	return list
}
