package studio

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"evalctl/agent/cache"
	"evalctl/agent/clock"
	"evalctl/agent/knowledge"
	"evalctl/agent/llm"
	"evalctl/agent/trace"
)

// retrievalTTL is how long the results of a style search are cached.
const retrievalTTL = 5 * time.Minute

// styleSearch is the node that searches the style library and appends the found styles to the image
// prompt.
type styleSearch struct {
	styles StyleSearcher // the style library; nil: no styles are added
	known  lexicon
	hits   *cache.Cache[[]knowledge.StyleMatch]
}

func newEnricher(cfg Config) (styleSearch, error) {
	hits, err := cache.New[[]knowledge.StyleMatch](cache.Config{TTL: retrievalTTL})
	return styleSearch{styles: cfg.Styles, known: cfg.lexicon, hits: hits}, err
}

func (e styleSearch) v2(ctx context.Context, s *state) error {
	style := s.Intent.Slots["style"]
	hits, err := e.retrieve(ctx, knowledge.Query{
		Names:         e.known.splitNames(style),
		Texts:         []string{style, s.Intent.Slots["subject"], s.Input.Text},
		Limit:         maxStyles,
		MinSimilarity: 0.6,
	})
	if err != nil {
		return err
	}
	s.Prompt.enrich(hits)
	if len(hits) == 0 {
		emitThought(ctx, ragNode, s.say("未检索到匹配的风格，使用原始 Prompt", "No matching style found, using the original prompt"))
		return nil
	}
	names := make([]string, len(hits))
	for i, h := range hits {
		names[i] = s.say(h.Style.ZH, h.Style.EN)
	}
	emitThought(ctx, ragNode, fmt.Sprintf(s.say("检索到 %d 条相关风格：%s", "Matching styles (%d): %s"), len(hits),
		strings.Join(names, ", ")))
	return nil
}

func (e styleSearch) v1(ctx context.Context, s *state) error {
	hits, err := e.retrieve(ctx, knowledge.Query{
		Names:         s.Styles,
		Texts:         []string{s.Intent.Slots["style"]},
		Limit:         maxStyles,
		MinSimilarity: 0.7,
	})
	if err != nil {
		return err
	}
	s.Prompt.enrich(hits)
	if len(hits) > 0 {
		emitThought(ctx, ragNode, fmt.Sprintf(s.say("正在检索风格库... 找到 %d 条相关风格提示词。",
			"Searching the style library... Matching styles: %d."), len(hits)))
	}
	return nil
}

// enrich appends the texts of the found styles to the image prompt.
func (p *imagePrompt) enrich(hits []knowledge.StyleMatch) {
	p.Retrieved = hits
	p.compose()
}

// retrieve returns the styles that match a query. If the search fails, it returns no styles. It
// returns an error only if the context has ended.
func (e styleSearch) retrieve(ctx context.Context, q knowledge.Query) ([]knowledge.StyleMatch, error) {
	q.Texts = slices.DeleteFunc(q.Texts, func(t string) bool {
		return isBlank(t) || slices.ContainsFunc(q.Names, func(n string) bool { return strings.EqualFold(n, t) })
	})
	if e.styles == nil || len(q.Names)+len(q.Texts) == 0 {
		return nil, nil
	}
	id := cache.Key(q)
	if hits, ok := e.hits.Get(ctx, id); ok {
		trace.Emit(ctx, trace.Event{Kind: trace.KindCacheHit, Node: ragNode, Reason: "same_query"})
		return hits, nil
	}
	var hits []knowledge.StyleMatch
	policy := llm.CallPolicy{
		Node:     ragNode,
		Provider: styleLibrary,
		Model:    "styles",
		Timeout:  RetrievalTimeout,
		Retries:  llm.NoRetries,
	}
	_, err := policy.Do(ctx, func(ctx context.Context, _ *trace.Span) error {
		return clock.CatchPanic(ragNode, func() (err error) {
			hits, err = e.styles.Search(ctx, q)
			return err
		})
	})
	switch {
	case err == nil:
		hits = withinLimits(hits, q)
		e.hits.Put(ctx, id, hits)
		return hits, nil
	case ctx.Err() != nil:
		return nil, err
	}
	fallback(ctx, ragNode, "original_prompt", llm.TraceReason(err))
	return nil, nil
}

// withinLimits returns the hits within the limits of the query, because a Retriever may exceed
// them. It also drops hits with a similarity of NaN, which JSON cannot represent.
func withinLimits(hits []knowledge.StyleMatch, q knowledge.Query) (fit []knowledge.StyleMatch) {
	for _, h := range hits {
		if len(fit) < q.Limit && h.Similarity >= q.MinSimilarity && h.Similarity <= 1 {
			fit = append(fit, h)
		}
	}
	return fit
}
