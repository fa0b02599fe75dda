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

// found is what came of a step.
type found struct {
	chunks []recall.Chunk
	closed []*document // that could not be searched, beside others that could
	err    error
}

// execute is a node: the steps of the plan side by side, of which one that fails does
// not fail the others.
func (r *run) execute(ctx context.Context) error {
	if err := r.indexAttached(ctx); err != nil {
		return err
	}
	results := make([]found, len(r.steps))
	group, ctx := clock.NewGroup(ctx, 0)
	for i, s := range r.steps {
		group.Go(executeNode, func(ctx context.Context) error {
			results[i].err = clock.CatchPanic(executeNode, func() (err error) {
				results[i], err = r.lookFor(trace.InBranch(ctx, i), s)
				return err
			})
			return ctx.Err()
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	return r.gather(ctx, results)
}

// lookFor looks for the passages of a step, in one of the turn's slots. Where there is
// nothing like its question, it is asked once more, for whatever is nearest: all steps are
// executed no more than twice as often as there are of them.
func (r *run) lookFor(ctx context.Context, s step) (f found, err error) {
	err = r.call(ctx, func() error {
		q := r.queryOf(s)
		if f = r.searchSome(ctx, q, s); f.err != nil || len(f.chunks) > 0 || q.MinSimilarity() == 0 {
			return f.err
		}
		fallback(ctx, executeNode, recallNode, "no_threshold", "no_results")
		q.Threshold = new(0.0)
		again := r.searchSome(ctx, q, s)
		if again.err != nil { // that there is nothing was an answer
			nodeError(ctx, executeNode, s.question, again.err)
		}
		f.chunks = again.chunks
		return nil
	})
	return f, err
}

// searchSome searches the documents of a step. Where some of them could not be searched,
// the others are made use of.
func (r *run) searchSome(ctx context.Context, q recall.Query, s step) found {
	f := r.search(ctx, q, s.documents)
	if len(f.chunks) > 0 && f.err != nil {
		nodeError(ctx, executeNode, s.question, f.err)
		f.err = nil
	}
	return f
}

// gather merges what the steps have found, best first, and makes the context of it.
func (r *run) gather(ctx context.Context, results []found) error {
	best := map[string]recall.Chunk{}
	for _, f := range results {
		r.lost, r.shut = append(r.lost, f.err), append(r.shut, f.closed)
		for _, c := range f.chunks {
			if old, ok := best[c.ID]; !ok || c.Similarity > old.Similarity {
				best[c.ID] = c
			}
		}
	}
	if len(results) > 0 && !slices.Contains(r.lost, nil) {
		return r.lost[0]
	}
	for i, f := range results {
		if f.err != nil {
			nodeError(ctx, executeNode, r.steps[i].question, f.err)
		}
	}
	r.useChunks(ctx, best)
	return nil
}

// useChunks shows the answer as many passages as there is room for.
func (r *run) useChunks(ctx context.Context, best map[string]recall.Chunk) {
	list := make([]recall.Chunk, 0, len(best))
	for _, c := range best {
		list = append(list, c)
	}
	slices.SortFunc(list, func(a, b recall.Chunk) int {
		return cmp.Or(cmp.Compare(b.Similarity, a.Similarity), cmp.Compare(a.ID, b.ID))
	})
	left := r.room.available()
	var b strings.Builder
	for _, c := range list {
		r.reply.Retrieved = append(r.reply.Retrieved, agent.Hit{ID: c.ID, Similarity: c.Similarity})
		text := r.passage(c)
		need := tokens.Count(text)
		if need > left {
			unused(ctx, executeNode, c.ID, fmt.Sprintf("%d tokens, room for %d", need, left), "", "context_full")
			continue
		}
		left -= need
		b.WriteString(text)
		r.shown = append(r.shown, c.Document)
	}
	r.material = strings.TrimSpace(b.String())
	if r.material == "" {
		r.material = r.say("（检索没有找到相关的内容。）", "(The search found nothing on this.)")
		fallback(ctx, executeNode, recallNode, answerNode, "no_results")
	}
}

// passage is a chunk as the answering model is shown it.
func (r *run) passage(c recall.Chunk) string {
	title := c.Name
	if d := r.document(c.Document); d != nil {
		title = d.Title
	}
	return fmt.Sprintf("[%s] 《%s》\n%s\n\n", c.ID, title, strings.TrimSpace(c.Content))
}
