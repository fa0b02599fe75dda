package scholar

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"evalctl/agent"
	"evalctl/agent/clock"
	"evalctl/agent/recall"
	"evalctl/agent/tokens"
	"evalctl/agent/trace"
)

// searchResult is the result of one search step.
type searchResult struct {
	chunks     []recall.Chunk
	unsearched []*document // documents whose search failed
	err        error
}

// execute is the node that runs the search steps of the plan concurrently. It fails only if all
// steps fail.
func (r *run) execute(ctx context.Context) error {
	if err := r.indexAttached(ctx); err != nil {
		return err
	}
	results := make([]searchResult, len(r.steps))
	group, ctx := clock.NewGroup(ctx, 0)
	for i, s := range r.steps {
		group.Go(executeNode, func(ctx context.Context) error {
			results[i].err = clock.CatchPanic(executeNode, func() (err error) {
				results[i], err = r.searchStep(trace.WithBranch(ctx, i), s)
				return err
			})
			return ctx.Err()
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	return r.mergeHits(ctx, results)
}

// searchStep searches the documents of a step. If nothing is found, it searches once more without a
// similarity threshold. So a step makes at most two searches.
func (r *run) searchStep(ctx context.Context, s step) (f searchResult, err error) {
	err = r.call(ctx, func() error {
		q := r.queryOf(s)
		if f = r.searchAvailable(ctx, q, s); f.err != nil || len(f.chunks) > 0 || q.ThresholdOrDefault() == 0 {
			return f.err
		}
		fallback(ctx, executeNode, recallNode, "no_threshold", "no_results")
		q.Threshold = new(0.0)
		again := r.searchAvailable(ctx, q, s)
		if again.err != nil { // the first search succeeded without hits, so the step has not failed
			nodeError(ctx, executeNode, s.question, again.err)
		}
		f.chunks = again.chunks
		return nil
	})
	return f, err
}

// searchAvailable searches the documents of a step. If the search of some documents fails, it
// returns the hits in the other documents.
func (r *run) searchAvailable(ctx context.Context, q recall.Query, s step) searchResult {
	f := r.search(ctx, q, s.documents)
	if len(f.chunks) > 0 && f.err != nil {
		nodeError(ctx, executeNode, s.question, f.err)
		f.err = nil
	}
	return f
}

// mergeHits merges the passages that the steps found, best first, into the material for the answer.
func (r *run) mergeHits(ctx context.Context, results []searchResult) error {
	best := map[string]recall.Chunk{}
	for _, f := range results {
		r.stepErrors, r.unsearched = append(r.stepErrors, f.err), append(r.unsearched, f.unsearched)
		for _, c := range f.chunks {
			if old, ok := best[c.ID]; !ok || c.Similarity > old.Similarity {
				best[c.ID] = c
			}
		}
	}
	if len(results) > 0 && !slices.Contains(r.stepErrors, nil) {
		return r.stepErrors[0]
	}
	for i, f := range results {
		if f.err != nil {
			nodeError(ctx, executeNode, r.steps[i].question, f.err)
		}
	}
	r.buildContext(ctx, best)
	return nil
}

// buildContext adds the best passages to the material, as many as fit into the available tokens.
// best contains the passages by ID.
func (r *run) buildContext(ctx context.Context, best map[string]recall.Chunk) {
	list := make([]recall.Chunk, 0, len(best))
	for _, c := range best {
		list = append(list, c)
	}
	slices.SortFunc(list, func(a, b recall.Chunk) int {
		return cmp.Or(cmp.Compare(b.Similarity, a.Similarity), cmp.Compare(a.ID, b.ID))
	})
	left := r.budget.available()
	var b strings.Builder
	for _, c := range list {
		r.reply.Retrieved = append(r.reply.Retrieved, agent.Hit{ID: c.ID, Similarity: c.Similarity})
		text := r.passage(c)
		need := tokens.Count(text)
		if need > left {
			traceIgnored(ctx, executeNode, c.ID, fmt.Sprintf("%d tokens, room for %d", need, left), "", "context_full")
			r.omittedDocs = append(r.omittedDocs, c.DocumentID)
			continue
		}
		left -= need
		b.WriteString(text)
		r.contextPassages, r.contextDocs = append(r.contextPassages, c.ID), append(r.contextDocs, c.DocumentID)
	}
	r.material = strings.TrimSpace(b.String())
	if r.material == "" {
		r.material = r.localized("（检索没有找到相关的内容。）", "(The search found nothing on this.)")
		fallback(ctx, executeNode, recallNode, answerNode, "no_results")
	}
}

// passage formats a passage for the prompt, with its ID and the document's title.
func (r *run) passage(c recall.Chunk) string {
	title := c.DocumentName
	if d := r.document(c.DocumentID); d != nil {
		title = d.Title
	}
	return fmt.Sprintf("[%s] 《%s》\n%s\n\n", c.ID, title, strings.TrimSpace(c.Content))
}
