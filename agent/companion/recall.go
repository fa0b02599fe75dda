package companion

import (
	"context"
	"maps"
	"slices"
	"time"

	"evalctl/agent"
	"evalctl/agent/clock"
	"evalctl/agent/companion/dates"
	"evalctl/agent/companion/diary"
	"evalctl/agent/llm"
	"evalctl/agent/trace"
)

// maxSummaries bounds the days that one turn has summarised.
const maxSummaries = 5

// recall looks the query up; days that nobody has summarised yet are before. Where it
// cannot, ok is false, and the turn is answered without memories; the error is of a
// context that has ended.
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
			fallback(ctx, knowledgeNode, knowledgeNode, normalChat, llm.Reason(err))
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

// lookUp finds days in the diary, after the written ones have been put there. raw are
// the days that might be found and have messages alone.
func (r *run) lookUp(ctx context.Context, q query, written []diary.DailySummary) (found []diary.Match, raw map[string][]line, err error) {
	policy := llm.Policy{Node: knowledgeNode, Provider: provider, Model: "days", Timeout: knowledgeTimeout, Retries: llm.NoRetries}
	err = withStore(ctx, policy, r.BeforeLookup, func(ctx context.Context) (err error) {
		if q.nowhere {
			return nil
		}
		if written == nil {
			raw, err = r.raw(ctx, q.days)
		} else {
			err = r.Diary.Upsert(ctx, written...)
		}
		if err == nil {
			found, err = r.Diary.Search(ctx, diary.Query{Agent: r.state.Agent, Days: spans(q.days), Keywords: q.words, RequireKeyword: q.only, Today: r.today(), Limit: r.Most})
		}
		return err
	})
	return found, raw, err
}

// provider is the diary, as spans name it.
const provider = "diary"

// withStore has f done by a store in the process, behind what stands before it; its panic is
// an error like any other.
func withStore(ctx context.Context, p llm.Policy, before func(context.Context) error, f func(context.Context) error) error {
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

// today is the user's day.
func (r *run) today() string { return r.now.Format(time.DateOnly) }

// spans are the days of a reading as the diary takes them.
func spans(days dates.Result) (list []diary.DateRange) {
	for _, run := range days.Ranges {
		list = append(list, diary.DateRange{From: run.From.String(), To: run.To.String()})
	}
	return list
}

// raw are the messages of those earlier days that are asked for and have no row: what
// the diary holds, and what the turn has brought. What is left out of that is told.
func (r *run) raw(ctx context.Context, asked dates.Result) (map[string][]line, error) {
	held, err := r.Diary.DaysWithoutSummary(ctx, r.state.Agent, r.today())
	if err != nil {
		return nil, err
	}
	brought, err := r.brought(ctx, asked)
	if err != nil {
		return nil, err
	}
	held = slices.DeleteFunc(held, func(date string) bool { return !asks(asked, date) })
	list := slices.Compact(slices.Sorted(slices.Values(slices.AppendSeq(slices.Clone(held), maps.Keys(brought)))))
	over := max(0, len(list)-maxSummaries)
	for _, date := range list[:over] {
		unused(ctx, knowledgeNode, "messages", date, "", tooMany)
	}
	days := map[string][]line{}
	for _, date := range list[over:] {
		if slices.Contains(held, date) {
			said, err := r.Diary.Messages(ctx, r.state.Agent, "", date)
			if err != nil {
				return nil, err
			}
			days[date] = linesIn(said)
		}
		days[date] = append(days[date], brought[date]...)
	}
	return days, nil
}

// brought are the messages of the turn's state of earlier days that are asked for and
// have no row.
func (r *run) brought(ctx context.Context, asked dates.Result) (map[string][]line, error) {
	days := r.state.byDay(r.now.Location())
	for _, date := range slices.Sorted(maps.Keys(days)) {
		if date >= r.today() || !asks(asked, date) {
			delete(days, date)
			continue
		}
		row, err := r.Diary.Search(ctx, diary.Query{Agent: r.state.Agent, Days: []diary.DateRange{{From: date, To: date}}, Today: r.today(), Limit: 1})
		if err != nil {
			return nil, err
		}
		if len(row) > 0 {
			unused(ctx, knowledgeNode, "state.messages", date, "", summarized)
			delete(days, date)
		}
	}
	return days, nil
}

// asks tells whether a reading holds the day; one without days asks for all.
func asks(asked dates.Result, date string) bool {
	return len(asked.Ranges) == 0 || slices.ContainsFunc(asked.Ranges, func(run dates.DayRange) bool {
		return run.From.String() <= date && date <= run.To.String()
	})
}

// summaries has the days summarised, the newest first.
func (r *run) summaries(ctx context.Context, raw map[string][]line) (written []diary.DailySummary, err error) {
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
