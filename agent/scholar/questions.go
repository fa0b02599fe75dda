package scholar

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"evalctl/agent/llm"
)

// Bounds on sub-questions.
const (
	maxQuestions = 20  // or as many as there are documents
	maxQuestion  = 500 // characters
)

// asked is a sub-question as a model gives it.
type asked struct {
	Question json.RawMessage `json:"question,omitempty"`
	DocID    json.RawMessage `json:"doc_id,omitempty"`
}

// UnmarshalJSON takes a text alone for a question to all documents.
func (a *asked) UnmarshalJSON(raw []byte) error {
	if json.Unmarshal(raw, new(string)) == nil {
		*a = asked{Question: slices.Clone(raw)}
		return nil
	}
	type object asked
	return json.Unmarshal(raw, (*object)(a))
}

// questionsAnswer is what the model is asked for.
type questionsAnswer struct {
	SubQuestions []asked `json:"sub_questions"`
}

// askSubQuestions is a node: the model parts the message into questions, each of which
// is looked for in the document that it names.
func (r *run) askSubQuestions(ctx context.Context) error {
	client, err := r.client("sub_questions")
	if err != nil {
		return err
	}
	system, err := r.Prompts.Questions.Fill(places{Documents: r.listedWithin(ctx, questionNode, r.readableDocs()), Count: len(r.docs), Most: r.mostQuestions(), Intent: r.intent})
	if err != nil {
		return err
	}
	var got questionsAnswer
	var a llm.Response
	err = r.call(ctx, func() (err error) {
		got, a, err = llm.JSON[questionsAnswer](ctx, client, llm.Request{Messages: r.messages(system, planningTurns), Temperature: new(0.1)},
			llm.Form{Key: "sub_questions"})
		return err
	})
	if err == nil {
		r.questions = r.taken(ctx, got.SubQuestions)
		if len(r.questions) == 0 {
			err = &llm.Error{Kind: llm.KindSchema, Message: "there is no sub-question in the answer"}
		}
	}
	if err != nil {
		if isUnread(err) {
			formed(ctx, questionNode, llm.Reason(err), err.Error())
		}
		return err
	}
	formed(ctx, questionNode, a.NotExact(), "")
	return nil
}

func (r *run) mostQuestions() int { return max(maxQuestions, len(r.docs)) }

// taken are the sub-questions that can be asked. What is wrong with the others, or too
// much, is told of.
func (r *run) taken(ctx context.Context, list []asked) (taken []question) {
	seen := map[question]bool{}
	for i, a := range list {
		if len(taken) == r.mostQuestions() {
			unused(ctx, questionNode, "sub_questions", fmt.Sprintf("%d of %d", len(list)-i, len(list)), "", "too_many")
			break
		}
		q := question{Text: shortened(plainText(a.Question), maxQuestion)}
		if q.Text == "" {
			unused(ctx, questionNode, "sub_questions", string(a.Question), "", "empty_question")
			continue
		}
		if id := plainText(a.DocID); id != "" && !strings.EqualFold(id, "null") {
			if r.document(id) != nil {
				q.Doc = id
			} else {
				unused(ctx, questionNode, "doc_id", id, "all", "unknown_document")
			}
		}
		if !seen[q] {
			seen[q] = true
			taken = append(taken, q)
		}
	}
	return taken
}

// plainText reads a JSON string; anything else is none.
func plainText(raw json.RawMessage) (text string) {
	if json.Unmarshal(raw, &text) != nil {
		return ""
	}
	return readable(text)
}

// questionFallback has the user's own question looked for.
func (r *run) questionFallback(ctx context.Context, err error) {
	fallback(ctx, questionNode, questionNode, "user_question", llm.Reason(err))
	r.questions = []question{{Text: r.turn.Text}}
}

// readableDocs are the turn's documents that say something.
func (r *run) readableDocs() (list []*document) {
	for _, d := range r.docs {
		if d.Text != "" {
			list = append(list, d)
		}
	}
	return list
}
