package scholar

import (
	"cmp"
	"context"
	"errors"

	"evalctl/agent/recall"
)

// query returns a retrieval query for a text. Parameters of the request override the settings.
func (r *run) query(text string) recall.Query {
	q := recall.Query{
		Question:     text,
		Datasets:     r.Datasets,
		TopN:         cmp.Or(r.topN, r.TopN),
		Threshold:    cmp.Or(r.threshold, r.Threshold),
		VectorWeight: cmp.Or(r.weight, r.VectorWeight),
		Reranker:     r.Rerank,
	}
	if r.indexes != nil {
		q.Datasets = r.indexes
	}
	if r.rerank != nil {
		q.Reranker = ""
		if *r.rerank {
			q.Reranker = cmp.Or(r.Rerank, recall.DefaultReranker)
		}
	}
	return q
}

// search searches documents of the turn. It uses the retrieval service for papers of the library,
// and a separate index for attached documents. The caller must hold a slot for concurrent calls,
// see run.call.
func (r *run) search(ctx context.Context, q recall.Query, docs []*document) (f searchResult) {
	look := func(in recall.Searcher, docs []*document) {
		q.Documents = idsOf(docs)
		chunks, err := in.Search(ctx, q)
		if f.chunks = append(f.chunks, chunks...); err != nil {
			f.unsearched, f.err = append(f.unsearched, docs...), errors.Join(f.err, err)
		}
	}
	stored, attached := splitAttached(docs)
	if len(stored) > 0 {
		look(r.searcher(stored), stored)
	}
	if q.Datasets = nil; len(attached) > 0 {
		look(r.attached, attached)
	}
	return f
}

// searcher returns the Searcher for papers of the library. The Searcher for a single paper is
// cached.
func (r *run) searcher(docs []*document) recall.Searcher {
	if len(docs) == 1 {
		return r.tools.ForDocument(docs[0].ID)
	}
	return r.Recall
}

func splitAttached(docs []*document) (stored, attached []*document) {
	for _, d := range docs {
		if d.IsAttachment {
			attached = append(attached, d)
		} else {
			stored = append(stored, d)
		}
	}
	return stored, attached
}

// indexAttached builds the search index of the attached documents, if there are any.
func (r *run) indexAttached(ctx context.Context) (err error) {
	if _, own := splitAttached(r.readableDocs()); len(own) > 0 {
		r.attached, err = r.attachments.of(ctx, own)
	}
	return err
}
