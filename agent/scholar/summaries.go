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

// paperQuestions returns the questions by which passages of a large paper are found for its
// summary. They are fixed, because cached summaries must not depend on the user's question.
func paperQuestions() []string {
	return []string{
		"研究问题与目的 research question, aim",
		"数据集、样本与规模 data set, sample size",
		"方法与模型 method, model, design",
		"主要结果与数字 main results, figures",
		"局限与结论 limits, conclusion",
	}
}

// summarize is the node that creates a short summary of each document.
func (r *run) summarize(ctx context.Context) error {
	if err := r.indexAttached(ctx); err != nil {
		return err
	}
	client, err := r.client("summary")
	if err != nil {
		return err
	}
	systemPrompt, err := r.Prompts.Condensed.Fill(promptData{})
	if err != nil {
		return err
	}
	cfg := digest.Config{
		Semaphore:         r.slots,
		MaxFullTextTokens: r.directTokens(),
		Questions:         paperQuestions(),
		Cache:             r.Cache,
		Refresh:           r.refresh,
		Version:           cache.Key(client.Provider().Name, client.Model(), r.base, systemPrompt),
		RetrievalVersion:  cache.Key(r.queryAbout("")),
		Summarize: func(ctx context.Context, d digest.Document, text string, piece func(string)) (string, error) {
			if r.hideThinking { // the text of a summary counts as reasoning, so it is not shown
				piece = nil
			}
			return streamText(ctx, client, systemPrompt, fmt.Sprintf("# %s\n\n%s", d.Title, text), piece)
		},
		Retrieve: func(ctx context.Context, d digest.Document, question string) ([]recall.Chunk, error) {
			f := r.search(ctx, r.queryAbout(question), []*document{r.document(d.ID)})
			return f.chunks, f.err
		},
	}
	docs := make([]digest.Document, len(r.docs))
	for i, d := range r.docs {
		docs[i] = digest.Document{ID: d.ID, Title: d.Title, Text: d.Text, IsRemote: d.IsRemote}
	}
	summaries, err := digest.Summarize(ctx, cfg, docs)
	if err != nil {
		return firstCause(err, summaries)
	}
	r.storeSummaries(ctx, summaries)
	return nil
}

// queryAbout returns a query without a similarity threshold, for questions that apply to any paper.
func (r *run) queryAbout(question string) recall.Query {
	q := r.query(question)
	q.Threshold = new(0.0)
	return q
}

// directTokens returns the largest size of a document, in tokens, that is summarized from its full
// text. It does not depend on the message of this turn, because summaries are cached.
func (r *run) directTokens() int {
	return int(r.FullTextShare * float64(contextBudget{context: r.budget.context, system: r.budget.system,
		answer: r.budget.answer}.available()))
}

// firstCause adds the error of the first failed summary to err.
func firstCause(err error, summaries []digest.Summary) error {
	for _, s := range summaries {
		if s.Err != nil {
			return fmt.Errorf("%w: %w", err, s.Err)
		}
	}
	return err
}

// storeSummaries records the summaries, and the names of the documents without one.
func (r *run) storeSummaries(ctx context.Context, summaries []digest.Summary) {
	cached := 0
	for i, s := range summaries {
		name := r.docs[i].name()
		if s.Text == "" {
			r.withoutSummary = append(r.withoutSummary, name)
			continue
		}
		if s.Cached {
			cached++
		}
		r.summarySections = append(r.summarySections, digest.Section{Heading: name, Text: s.Text})
	}
	r.emitThought(ctx, summaryNode,
		r.localized(fmt.Sprintf("总结了 %d 篇文献，其中 %d 篇来自缓存，%d 篇失败。", len(r.summarySections), cached,
			len(r.withoutSummary)),
			fmt.Sprintf("Documents summarized: %d (%d cached, %d failed).", len(r.summarySections), cached,
				len(r.withoutSummary))))
}

// condense shortens the summaries to the available tokens. If they do not fit, reports on groups of
// documents replace them.
func (r *run) condense(ctx context.Context) error {
	client, err := r.client("report")
	if err != nil {
		return err
	}
	of := r.Prompts.Multi
	if r.intent == reviewGeneration {
		of = r.Prompts.Review
	}
	// A report may use half of the available tokens, and at most the answer limit of a model. A
	// token is about three quarters of a word or a Chinese character.
	length := min(r.budget.available()/2, r.budget.answer) * 3 / 4
	systemPrompt, err := of.Fill(promptData{Question: r.turn.Text, Length: length})
	if err != nil {
		return err
	}
	report := func(ctx context.Context, group []digest.Section) (string, error) {
		return streamText(ctx, client, systemPrompt, digest.JoinSections(group), nil)
	}
	result, err := digest.Condense(ctx, digest.ReportConfig{
		Semaphore:    r.slots,
		MaxTokens:    r.budget.available(),
		WriteReport:  report,
		MergeReports: report,
		Heading: func(n int) string {
			return fmt.Sprintf("## %d", n)
		},
	}, r.summarySections)
	if err != nil {
		return err
	}
	r.withoutSummary, r.truncated = append(r.withoutSummary, result.FailedHeadings...), result.TruncatedCount
	r.hasReports, r.material = result.SectionsAreReports, strings.TrimSpace(digest.JoinSections(result.Sections))
	return nil
}

// finalPrompt returns the prompt for an answer from several summaries or group reports.
func (r *run) finalPrompt() llm.Prompt {
	switch {
	case r.intent == reviewGeneration && r.hasReports:
		return r.Prompts.ReviewMerge
	case r.intent == reviewGeneration:
		return r.Prompts.ReviewSynthesis
	case r.hasReports:
		return r.Prompts.MultiMerge
	default:
		return r.Prompts.MultiSynthesis
	}
}
