package companion

import (
	"context"
	"maps"
	"slices"
	"time"

	"evalctl/agent"
	"evalctl/agent/clock"
	"evalctl/agent/companion/diary"
	"evalctl/agent/dates"
	"evalctl/agent/llm"
	"evalctl/agent/trace"
)

// maxSummaries limits the days that one turn summarizes.
const maxSummaries = 5

// recall searches the diary for the days of a query. Days that have only messages are summarized
// first. If the search fails, ok is false and the turn is answered without memories. It returns an
// error only if the context ended.
func (r *run) recall(ctx context.Context, q query) (found []diary.Match, ok bool, err error) {
	found, raw, err := r.lookUp(ctx, q, nil)
	if err == nil && len(raw) > 0 {
		var written []diary.DailySummary
		if written, err = r.summaries(ctx, raw); len(written) > 0 && err == nil {
			found, _, err = r.lookUp(ctx, q, written)
		}
	}
	if err != nil {
		if ctx.Err() == nil {
			fallback(ctx, knowledgeNode, knowledgeNode, normalChat, llm.TraceReason(err))
			err = nil
		}
		return nil, false, err
	}
	r.reply.Retrieved = make([]agent.Hit, len(found))
	for i, d := range found {
		r.reply.Retrieved[i] = agent.Hit{ID: d.Date, Similarity: d.Score}
	}
	return found, true, nil
}

// lookUp searches the diary once. If written is nil, it also returns the messages of matching days
// without a summary, in raw. Otherwise it stores the summaries in written before the search.
func (r *run) lookUp(ctx context.Context, q query, written []diary.DailySummary) (found []diary.Match,
	raw map[string][]promptLine, err error) {
	policy := llm.CallPolicy{
		Node:     knowledgeNode,
		Provider: provider,
		Model:    "days",
		Timeout:  knowledgeTimeout,
		Retries:  llm.NoRetries,
	}
	memory, imported := r.memory()
	err = withStore(ctx, policy, r.BeforeSearch, func(ctx context.Context) (err error) {
		if q.hasNoValidDay {
			return nil
		}
		if written == nil {
			raw, err = r.unsummarizedMessages(ctx, q.days)
		} else {
			err = r.Diary.Upsert(ctx, written...)
		}
		if err == nil {
			found, err = r.Diary.Search(ctx, diary.Query{
				Agent:          memory,
				ImportedAgent:  imported,
				Days:           spans(q.days),
				Keywords:       q.words,
				RequireKeyword: q.mustMatch,
				Today:          r.today(),
				Limit:          r.MaxDays,
			})
		}
		return err
	})
	return found, raw, err
}

// provider is the provider name in the trace spans of the diary.
const provider = "diary"

// withStore runs an operation of the diary and records it as a span. before runs first; nil:
// nothing. A panic becomes an error.
func withStore(ctx context.Context, p llm.CallPolicy, before func(context.Context) error,
	f func(context.Context) error) error {
	_, err := p.Do(ctx, func(ctx context.Context, _ *trace.Span) error {
		return clock.CatchPanic(p.Node, func() error {
			if before != nil {
				if err := before(ctx); err != nil {
					return err
				}
			}
			return f(ctx)
		})
	})
	return err
}

// today returns the current date in the user's time zone.
func (r *run) today() string { return r.now.Format(time.DateOnly) }

// spans converts the days of a query to the ranges of a diary search.
func spans(days dates.Result) (list []diary.DateRange) {
	for _, run := range days.Ranges {
		list = append(list, diary.DateRange{From: run.From.String(), To: run.To.String()})
	}
	return list
}

// unsummarizedMessages returns the messages of matching earlier days that have no summary, by date,
// from the diary and the turn's state. Days beyond maxSummaries are dropped, with a trace event.
func (r *run) unsummarizedMessages(ctx context.Context, queried dates.Result) (map[string][]promptLine, error) {
	memory, _ := r.memory()
	stored, err := r.Diary.DaysWithoutSummary(ctx, memory, r.today())
	if err != nil {
		return nil, err
	}
	fromTurn, err := r.turnMessages(ctx, queried)
	if err != nil {
		return nil, err
	}
	stored = slices.DeleteFunc(stored, func(date string) bool { return !includesDay(queried, date) })
	list := slices.Compact(slices.Sorted(slices.Values(slices.AppendSeq(slices.Clone(stored), maps.Keys(fromTurn)))))
	over := max(0, len(list)-maxSummaries)
	for _, date := range list[:over] {
		traceIgnored(ctx, knowledgeNode, "messages", date, "", tooMany)
	}
	days := map[string][]promptLine{}
	for _, date := range list[over:] {
		if slices.Contains(stored, date) {
			messages, err := r.Diary.Messages(ctx, memory, date)
			if err != nil {
				return nil, err
			}
			days[date] = diaryLines(messages)
		}
		days[date] = append(days[date], fromTurn[date]...)
	}
	return days, nil
}

// turnMessages returns messages of the turn's state, by date: those that still need a summary.
func (r *run) turnMessages(ctx context.Context, queried dates.Result) (map[string][]promptLine, error) {
	days := r.state.byDay(r.now.Location())
	for _, date := range slices.Sorted(maps.Keys(days)) {
		if date >= r.today() || !includesDay(queried, date) {
			delete(days, date)
			continue
		}
		row, err := r.Diary.Search(ctx, diary.Query{
			Agent: r.state.Agent,
			Days:  []diary.DateRange{{From: date, To: date}},
			Today: r.today(),
			Limit: 1,
		})
		if err != nil {
			return nil, err
		}
		if len(row) > 0 {
			traceIgnored(ctx, knowledgeNode, "state.messages", date, "", summarized)
			delete(days, date)
		}
	}
	return days, nil
}

// includesDay reports whether the days of a query contain a date. Without days, every date matches.
func includesDay(days dates.Result, date string) bool {
	return len(days.Ranges) == 0 || slices.ContainsFunc(days.Ranges, func(run dates.DayRange) bool {
		return run.From.String() <= date && date <= run.To.String()
	})
}

// summaries summarizes several days, newest first. Days for which that fails are left out.
func (r *run) summaries(ctx context.Context, raw map[string][]promptLine) (written []diary.DailySummary, err error) {
	days := slices.Sorted(maps.Keys(raw))
	slices.Reverse(days)
	for _, date := range days {
		day, ok, err := r.summarize(ctx, date, raw[date])
		if err != nil {
			return nil, err
		}
		if ok {
			written = append(written, day)
		}
	}
	return written, nil
}
