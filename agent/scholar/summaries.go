package scholar

import (
	"context"
	"fmt"
	"strings"

	"evalctl/agent/cache"
	"evalctl/agent/llm"
	"evalctl/agent/recall"
	"evalctl/agent/scholar/digest"
)

// aboutPapers is what large papers are asked for their summaries: a summary that is kept
// must not depend on what somebody has asked.
func aboutPapers() []string {
	return []string{
		"研究问题与目的 research question, aim",
		"数据集、样本与规模 data set, sample size",
		"方法与模型 method, model, design",
		"主要结果与数字 main results, figures",
		"局限与结论 limits, conclusion",
	}
}

// summarize is a node: a condensed summary of each document.
func (r *run) summarize(ctx context.Context) error {
	if err := r.indexAttached(ctx); err != nil {
		return err
	}
	client, err := r.client("summary")
	if err != nil {
		return err
	}
	told, err := r.Prompts.Condensed.Fill(places{})
	if err != nil {
		return err
	}
	cfg := digest.Config{
		Semaphore: r.slots, DirectContentTokens: r.smallAmongOthers(), Questions: aboutPapers(), Cache: r.Cache, Refresh: r.refresh,
		Version:          cache.Key(client.Provider().Name, client.Model(), r.base, told),
		RetrievalVersion: cache.Key(r.queryAbout("")),
		Summarize: func(ctx context.Context, d digest.Document, text string, piece func(string)) (string, error) {
			if r.hideThinking { // what comes on the way to the answer
				piece = nil
			}
			return streamText(ctx, client, told, fmt.Sprintf("# %s\n\n%s", d.Title, text), piece)
		},
		Retrieve: func(ctx context.Context, d digest.Document, question string) ([]recall.Chunk, error) {
			f := r.search(ctx, r.queryAbout(question), []*document{r.document(d.ID)})
			return f.chunks, f.err
		},
	}
	docs := make([]digest.Document, len(r.docs))
	for i, d := range r.docs {
		docs[i] = digest.Document{ID: d.ID, Title: d.Title, Text: d.Text}
	}
	made, err := digest.Summaries(ctx, cfg, docs)
	if err != nil {
		return firstCause(err, made)
	}
	r.keepSummaries(ctx, made)
	return nil
}

// queryAbout asks for what is nearest to a question that any paper answers somehow.
func (r *run) queryAbout(question string) recall.Query {
	q := r.query(question)
	q.Threshold = new(0.0)
	return q
}

// smallAmongOthers is how many tokens a document may have to be shown as a whole to whom
// summarises it. It depends on the window alone, not on this turn's message.
func (r *run) smallAmongOthers() int {
	return int(r.Direct * float64(room{context: r.room.context, system: r.room.system, answer: r.room.answer}.available()))
}

// firstCause has the error of documents that all failed tell why the first did.
func firstCause(err error, made []digest.Summary) error {
	for _, s := range made {
		if s.Err != nil {
			return fmt.Errorf("%w: %w", err, s.Err)
		}
	}
	return err
}

// keepSummaries takes what was made, and what was not.
func (r *run) keepSummaries(ctx context.Context, made []digest.Summary) {
	cached := 0
	for i, s := range made {
		name := r.docs[i].name()
		if s.Text == "" {
			r.gaps = append(r.gaps, name)
			continue
		}
		if s.Cached {
			cached++
		}
		r.pieces = append(r.pieces, digest.Section{Heading: name, Text: s.Text})
	}
	r.think(ctx, summaryNode, r.say(fmt.Sprintf("总结了 %d 篇文献，其中 %d 篇来自缓存，%d 篇失败。", len(r.pieces), cached, len(r.gaps)),
		fmt.Sprintf("Summarised %d documents, %d of them cached; %d failed.", len(r.pieces), cached, len(r.gaps))))
}

// condense makes of the summaries what the answer has room for: themselves, or reports
// of groups of them.
func (r *run) condense(ctx context.Context) error {
	client, err := r.client("report")
	if err != nil {
		return err
	}
	of := r.Prompts.Multi
	if r.intent == reviewGeneration {
		of = r.Prompts.Review
	}
	// A report has half of the room at most, and what a model can say at once; three
	// quarters of a word, or a character, are a token.
	length := min(r.room.available()/2, r.room.answer) * 3 / 4
	told, err := of.Fill(places{Question: r.turn.Text, Length: length})
	if err != nil {
		return err
	}
	report := func(ctx context.Context, group []digest.Section) (string, error) {
		return streamText(ctx, client, told, digest.Join(group), nil)
	}
	made, err := digest.Condense(ctx, digest.ReportConfig{Slots: r.slots, MaxTokens: r.room.available(), Report: report, Merge: report, Heading: func(n int) string {
		return fmt.Sprintf("## %d", n)
	}}, r.pieces)
	if err != nil {
		return err
	}
	r.gaps, r.cut = append(r.gaps, made.Failed...), made.Truncated
	r.merged, r.material = made.Merged, strings.TrimSpace(digest.Join(made.Pieces))
	return nil
}

// closing is the prompt of an answer of several summaries, or of reports of them.
func (r *run) closing() llm.Prompt {
	switch {
	case r.intent == reviewGeneration && r.merged:
		return r.Prompts.ReviewMerge
	case r.intent == reviewGeneration:
		return r.Prompts.ReviewSynthesis
	case r.merged:
		return r.Prompts.MultiMerge
	default:
		return r.Prompts.MultiSynthesis
	}
}
