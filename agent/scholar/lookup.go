package scholar

import (
	"cmp"
	"context"
	"errors"

	"evalctl/agent/recall"
)

// query is what is asked of a service of retrieval, as the settings and the request say.
func (r *run) query(text string) recall.Query {
	q := recall.Query{Question: text, Datasets: r.Datasets, TopN: cmp.Or(r.topN, r.TopN), Threshold: cmp.Or(r.threshold, r.Threshold),
		VectorWeight: cmp.Or(r.weight, r.Weight), Rerank: r.Rerank}
	if r.indexes != nil {
		q.Datasets = r.indexes
	}
	if r.rerank != nil {
		q.Rerank = ""
		if *r.rerank {
			q.Rerank = cmp.Or(r.Rerank, recall.DefaultReranker)
		}
	}
	return q
}

// search looks for passages in some of the turn's documents: in those of the library by
// the service of retrieval, in those that came with the turn by an index of its own. The
// caller has a slot.
func (r *run) search(ctx context.Context, q recall.Query, docs []*document) (f found) {
	look := func(in recall.Searcher, docs []*document) {
		q.Documents = idsOf(docs)
		chunks, err := in.Search(ctx, q)
		if f.chunks = append(f.chunks, chunks...); err != nil {
			f.closed, f.err = append(f.closed, docs...), errors.Join(f.err, err)
		}
	}
	stored, attached := parted(docs)
	if len(stored) > 0 {
		look(r.searcher(stored), stored)
	}
	if q.Datasets = nil; len(attached) > 0 {
		look(r.attached, attached)
	}
	return f
}

// searcher looks into documents of the library: into one alone by its own tool.
func (r *run) searcher(docs []*document) recall.Searcher {
	if len(docs) == 1 {
		return r.tools.ForDocument(docs[0].ID)
	}
	return r.Recall
}

func parted(docs []*document) (stored, attached []*document) {
	for _, d := range docs {
		if d.Attached {
			attached = append(attached, d)
		} else {
			stored = append(stored, d)
		}
	}
	return stored, attached
}

// indexAttached has the index of what came with the turn; without documents there is
// none.
func (r *run) indexAttached(ctx context.Context) (err error) {
	if _, own := parted(r.readableDocs()); len(own) > 0 {
		r.attached, err = r.attachments.of(ctx, own)
	}
	return err
}
