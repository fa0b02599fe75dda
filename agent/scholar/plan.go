package scholar

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"evalctl/agent/recall"
)

// plan is the node that turns each sub-question into a search step. For a request about one whole
// paper it adds general questions, because few passages match a message like "summarize it".
func (r *run) plan(ctx context.Context) error {
	all := r.readableDocs()
	for _, q := range r.questions {
		s := step{question: q.Text, documents: all}
		if d := r.document(q.Doc); d != nil && d.isReadable() {
			s.documents = []*document{d}
		}
		r.steps = append(r.steps, s)
	}
	if len(all) == 1 && r.intent != literatureQA {
		for _, q := range paperQuestions() {
			r.steps = append(r.steps, step{question: q, documents: all, noThreshold: true})
		}
	}
	r.setAttribute("targets", strings.Join(r.targets(), ","))
	var lines []string
	for i, s := range r.steps {
		lines = append(lines, fmt.Sprintf("%d. %s → %s", i+1, s.question, strings.Join(idsOf(s.documents), ", ")))
	}
	r.emitThought(ctx, planNode, r.localized("检索计划：\n", "Plan:\n")+strings.Join(lines, "\n"))
	return nil
}

// queryOf returns the retrieval query for a step.
func (r *run) queryOf(s step) recall.Query {
	if s.noThreshold {
		return r.queryAbout(s.question)
	}
	return r.query(s.question)
}

// targets returns the IDs of the documents that the steps of the plan search, in the order of the
// turn.
func (r *run) targets() (ids []string) {
	for _, d := range r.docs {
		if slices.ContainsFunc(r.steps, func(s step) bool { return slices.Contains(s.documents, d) }) {
			ids = append(ids, d.ID)
		}
	}
	return ids
}

func idsOf(docs []*document) (ids []string) {
	for _, d := range docs {
		ids = append(ids, d.ID)
	}
	return ids
}
