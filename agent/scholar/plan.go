package scholar

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// plan is a node: every sub-question becomes a step.
func (r *run) plan(ctx context.Context) error {
	all := r.readableDocs()
	for _, q := range r.questions {
		s := step{question: q.Text, documents: all}
		if d := r.document(q.Doc); d != nil && d.Text != "" {
			s.documents = []*document{d}
		}
		r.steps = append(r.steps, s)
	}
	r.aspect("targets", strings.Join(r.targets(), ","))
	var lines []string
	for i, s := range r.steps {
		lines = append(lines, fmt.Sprintf("%d. %s → %s", i+1, s.question, strings.Join(idsOf(s.documents), ", ")))
	}
	r.think(ctx, planNode, r.say("检索计划：\n", "Plan:\n")+strings.Join(lines, "\n"))
	return nil
}

// targets are the documents that the plan looks into, in the turn's order.
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
