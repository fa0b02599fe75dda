package scholar_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent"
	"evalctl/agent/cache"
	"evalctl/agent/clock"
	"evalctl/agent/recall"
	"evalctl/agent/scholar"
	"evalctl/agent/trace"
	"evalctl/mocks/model"
)

// attached returns a turn with n short attached documents.
func attached(text string, n int) agent.Turn {
	t := agent.Turn{Text: text}
	for i := range n {
		t.Documents = append(t.Documents, agent.Document{Name: fmt.Sprintf("d%03d", i+1), Content: paper(i + 1)})
	}
	return t
}

func paper(i int) string {
	return fmt.Sprintf("# 第 %d 号研究\n\n样本有 %d 人，准确率 %d.5%%。", i, 1000+i, i%90+5)
}

// peak returns the highest number of concurrent model calls in the last turn.
func (s *stage) peak() (most int) {
	type edge struct {
		at time.Duration
		by int
	}
	var edges []edge
	for _, e := range s.events {
		if e.Kind == trace.KindSpan && e.Span.Provider != cache.ProviderName {
			edges = append(edges, edge{e.Span.Start, 1}, edge{e.Span.Start + e.Span.Duration, -1})
		}
	}
	for _, from := range edges {
		n := 0
		for _, e := range edges {
			if e.at < from.at || e.at == from.at && e.by < 0 || e.at == from.at && from.by > 0 {
				n += e.by
			}
		}
		most = max(most, n)
	}
	return most
}

// aboutOf returns the IDs of the documents in the events of a kind.
func (s *stage) aboutOf(kind trace.Kind) (ids []string) {
	for _, e := range s.events {
		var about struct {
			ID string `json:"doc_id"`
		}
		if e.Kind == kind && json.Unmarshal(e.Data, &about) == nil {
			ids = append(ids, about.ID)
		}
	}
	return ids
}

// broken is a cache that fails after a number of calls.
type broken struct {
	cache.Store
	after, calls int
}

var errDown = errors.New("connection refused")

func (b *broken) down() bool {
	b.calls++
	return b.calls > b.after
}

func (b *broken) GetAll(ctx context.Context, keys []string) (map[string]string, error) {
	if b.down() {
		return nil, errDown
	}
	return b.Store.GetAll(ctx, keys)
}

func (b *broken) Put(ctx context.Context, key, value string) error {
	if b.down() {
		return errDown
	}
	return b.Store.Put(ctx, key, value)
}

var _ = Describe("Summaries of the scholar", func() {
	wide := func(c *scholar.Config) { c.ContextTokens = 200_000 }

	It("L4: of 200 documents are created with at most 10 concurrent calls, in the expected time", func() {
		s := newStage(summary)
		s.set = wide
		reply := s.runTurns(attached("总结一下", 200))[0]
		Expect(reply.ErrorReply).To(BeNil())
		Expect(s.spans("document_summary")).To(Equal(200))
		Expect(s.peak()).To(Equal(10))
		// one second each for the intent, the 200/10 rounds of summaries, and the answer
		Expect(s.duration).To(Equal(22 * time.Second))
		Expect(s.aboutOf(trace.KindSummaryComplete)).To(HaveLen(200))
	})

	DescribeTable("31.7: of all turns of an agent share the calls of TotalCalls", func(total, seconds int) {
		s := newStage(summary)
		s.set = func(c *scholar.Config) { wide(c); c.MaxTotalCalls = total }
		a := s.open()
		began, took := noon, time.Duration(0)
		Expect(clock.RunSimulated(context.Background(), began, func(ctx context.Context) error {
			group, _ := clock.NewGroup(ctx, 0)
			for range 2 {
				group.Go("turn", func(ctx context.Context) error {
					_, err := a.Respond(ctx, attached("总结一下", 20),
						func(e trace.Event) { s.events = append(s.events, e) })
					took = clock.Since(ctx, began)
					return err
				})
			}
			return group.Wait()
		})).To(Succeed())
		Expect(s.spans("document_summary")).To(Equal(40))
		Expect(took).To(Equal(time.Duration(seconds) * time.Second))
		if total > 0 {
			Expect(s.peak()).To(Equal(min(total, 20)))
		}
		s.runTurnsWith(a, attached("总结一下", 1)) // all slots are free again, also on another clock
	},
		// one second each for the intents, the rounds of 40 summaries, and the answers
		Entry("no limit: 10 calls of each turn", 0, 4), Entry("ten calls together", 10, 6),
		Entry("four calls together", 4, 12), Entry("more than both turns make", 100, 4),
	)

	DescribeTable("L4: are created with the configured number of concurrent calls", func(calls, seconds int) {
		s := newStage(summary)
		s.set = func(c *scholar.Config) { wide(c); c.MaxCalls = calls }
		s.runTurns(attached("总结一下", 20))
		Expect(s.peak()).To(Equal(calls))
		Expect(s.duration).To(Equal(time.Duration(seconds) * time.Second))
	},
		Entry("one concurrent call", 1, 22), Entry("seven concurrent calls", 7, 5),
		Entry("twenty concurrent calls", 20, 3),
	)

	It("L4: of a large document are created from passages that do not depend on the user's question", func() {
		var seen [2][]recall.Query
		for i, text := range []string{"总结一下", "概括这两篇的方法"} {
			s := newStage(summary)
			Expect(s.runText(text, small, large).ErrorReply).To(BeNil())
			seen[i] = s.queries
			Expect(s.requests["summary"]).To(HaveLen(2))
		}
		Expect(seen[0]).To(HaveLen(5))
		Expect(seen[0]).To(Equal(seen[1]))
		Expect(seen[0][0].Documents).To(Equal([]string{large}))
	})

	It("L4: are replaced by reports on groups of documents, which are merged, if they do not fit into the prompt",
		func() {
			s := newStage(review)
			s.set = func(c *scholar.Config) { c.ContextTokens = 1400 }
			s.replies["summary"] = func(r model.Request) model.Answer {
				return model.Answer{Content: strings.SplitN(r.Text, "\n", 2)[0] + strings.Repeat("结论很多。", 60)}
			}
			s.replies["report"] = func(r model.Request) model.Answer {
				Expect(r.Messages[0].Text).To(ContainSubstring("用户的要求是：写一篇综述"))
				return model.Answer{Content: fmt.Sprintf("%d 篇", strings.Count(r.Text, "《"))}
			}
			reply := s.runTurns(attached("写一篇综述", 6))[0]
			Expect(reply.ErrorReply).To(BeNil())
			Expect(len(s.requests["report"])).To(BeNumerically(">", 1))
			Expect(s.requests["answer"][0].Messages[0].Text).To(ContainSubstring("【分组报告】"))
			Expect(decided(reply)).To(HaveSuffix("served REVIEW_GENERATION"))
		})

	It("L9: are listed as missing if the report on their group fails", func() {
		s := newStage(summary)
		s.set = func(c *scholar.Config) { c.ContextTokens = 1400 }
		s.replies["summary"] = func(r model.Request) model.Answer {
			return model.Answer{Content: strings.Repeat("结论很多。", 60)}
		}
		s.faults = "report:server_error@1"
		s.replies["report"] = func(model.Request) model.Answer { return model.Answer{Content: "报告"} }
		reply := s.runTurns(attached("总结一下", 6))[0]
		Expect(reply.ErrorReply).To(BeNil())
		s = newStage(summary)
		s.set = func(c *scholar.Config) { c.ContextTokens = 1400 }
		s.replies["summary"] = func(r model.Request) model.Answer {
			return model.Answer{Content: strings.Repeat("结论很多。", 60)}
		}
		s.replies["report"] = func(r model.Request) model.Answer {
			if strings.Contains(r.Text, "第 1 号") {
				return model.Answer{}
			}
			return model.Answer{Content: "报告"}
		}
		reply = s.runTurns(attached("总结一下", 6))[0]
		Expect(s.eventLines(trace.KindNodeError)).To(Equal([]string{"group_report → empty_content"}))
		Expect(reply.Content).To(ContainSubstring("第 1 号研究"))
		Expect(reply.ErrorReply).To(BeNil())
	})

	It("L9: of 49 documents are used if one of 50 fails; the answer names the failed document", func() {
		s := newStage(summary)
		s.set = wide
		s.replies["summary"] = func(r model.Request) model.Answer {
			if strings.Contains(r.Text, "第 17 号研究") {
				return model.Answer{ErrorResponse: &model.ErrorResponse{Status: 400}}
			}
			return model.Answer{Content: "样本 " + strings.SplitN(r.Text, "\n", 2)[0]}
		}
		reply := s.runTurns(attached("总结一下", 50))[0]
		Expect(reply.Content).To(HaveSuffix("（以下文献未能总结，没有计入：[d017] 《第 17 号研究》）"))
		Expect(s.text(trace.KindChunk)).To(Equal(reply.Content))
		Expect(s.aboutOf(trace.KindSummaryError)).To(Equal([]string{"d017"}))
		observed := s.requests["answer"][0].Messages[0].Text
		for i := range 50 {
			title := fmt.Sprintf("\n[d%03d] 《第 %d 号研究》\n", i+1, i+1)
			Expect(strings.Contains(observed, title)).To(Equal(i+1 != 17), title)
		}
		Expect(observed).To(ContainSubstring("以下文献没有可用的内容，不要编造：[d017] 《第 17 号研究》"))
		Expect(decided(reply)).To(Equal("LITERATURE_SUMMARY by llm, served LITERATURE_SUMMARY"))
	})

	It("L9: are replaced by an error reply if all of them fail", func() {
		s := newStage(summary)
		s.faults = "summary:server_error"
		reply := s.runText("总结一下", small, "zh-03")
		Expect(reply.ErrorReply).
			To(Equal(&agent.ErrorReply{Code: "SUMMARIES_FAILED", Message: reply.Content, Node: "document_summary",
				Cause: "server_error"}))
		Expect(reply.Content).To(HavePrefix("抱歉，所有文献的总结都没有成功"))
		Expect(s.requests["answer"]).To(BeEmpty())
	})

	It("L6: are cached: a second turn makes no model calls, or one if one document changed", func() {
		store, err := cache.NewMemory(cache.StoreConfig{})
		Expect(err).NotTo(HaveOccurred())
		run := func(t agent.Turn) *stage {
			s := newStage(summary)
			s.store, s.set = store, wide
			Expect(s.runTurns(t)[0].ErrorReply).To(BeNil())
			return s
		}
		first := run(attached("总结一下", 12))
		Expect(first.spans("document_summary")).To(Equal(12))
		Expect(first.eventLines(trace.KindCacheMiss)).To(HaveLen(12))

		second := run(attached("写写它们的要点", 12))
		Expect(second.spans("document_summary")).To(BeZero())
		Expect(second.eventLines(trace.KindCacheHit)).To(HaveLen(12))
		Expect(second.requests["answer"][0].Messages[0].Text).To(Equal(first.requests["answer"][0].Messages[0].Text))

		changed := attached("总结一下", 12)
		changed.Documents[4].Content += "补充一句。"
		third := run(changed)
		Expect(third.spans("document_summary")).To(Equal(1))
		Expect(third.aboutOf(trace.KindSummaryStart)).To(Equal([]string{"d005"}))

		Expect(run(with(attached("总结一下", 12), `{"refresh_summary_cache":true}`)).spans("document_summary")).
			To(Equal(12))
		Expect(run(with(attached("总结一下", 12), `{"model_name":"another"}`)).spans("document_summary")).To(Equal(12))
	})

	It("L6: are the same if the cache fails at any point", func() {
		whole := newStage(summary)
		whole.set = wide
		want := whole.runTurns(attached("总结一下", 12))[0]
		for _, after := range []int{0, 1, 5} {
			s := newStage(summary)
			memory, err := cache.NewMemory(cache.StoreConfig{})
			Expect(err).NotTo(HaveOccurred())
			s.store, s.set = &broken{Store: memory, after: after}, wide
			Expect(s.runTurns(attached("总结一下", 12))[0]).To(Equal(want))
			Expect(len(s.eventLines(trace.KindCacheError))).To(BeNumerically(">", 0))
			Expect(s.spans("document_summary")).To(Equal(12))
		}
	})

	It("of 1,000 documents are created; 1,001 documents are rejected with the numbers", func() {
		s := newStage(summary)
		reply := s.runTurns(attached("总结一下", 1000))[0]
		Expect(reply.ErrorReply).To(BeNil())
		Expect(s.spans("document_summary")).To(Equal(1000))
		s = newStage(summary)
		reply = s.runTurns(attached("总结一下", 1001))[0]
		Expect(reply.Content).To(Equal("一次最多处理 1000 篇文献，这次有 1001 篇。"))
		Expect(s.requests).To(BeEmpty())
	})

	It("L6: are loaded from the cache in one request", func() {
		s := newStage(summary)
		memory, err := cache.NewMemory(cache.StoreConfig{})
		Expect(err).NotTo(HaveOccurred())
		counting := &broken{Store: memory, after: 1 << 20}
		s.store = counting
		s.runText("总结一下", small, "zh-03", "zh-04")
		Expect(counting.calls).To(Equal(1 + 3))
	})

	It("X6: are no longer created after the context has ended, and no goroutine remains", func() {
		s := newStage(summary)
		a := s.open()
		Expect(clock.RunSimulated(context.Background(), noon, func(ctx context.Context) error {
			limited, cancel := clock.WithTimeout(ctx, 2500*time.Millisecond)
			defer cancel()
			reply, err := s.answer(limited, a, attached("总结一下", 100))
			Expect(err).To(MatchError(context.DeadlineExceeded))
			Expect(reply.Content).To(BeEmpty())
			return nil
		})).To(Succeed())
		Expect(s.events[len(s.events)-1].Kind).To(Equal(trace.KindDone))
	})

	It("emit their events one at a time, even in real time", func() {
		s := newStage(summary)
		s.set = wide
		s.quick = true
		reply, err := s.answer(context.Background(), s.open(), attached("总结一下", 40))
		Expect(err).NotTo(HaveOccurred())
		Expect(reply.ErrorReply).To(BeNil())
		Expect(s.aboutOf(trace.KindSummaryComplete)).To(HaveLen(40))
		Expect(scholar.Order.MatchString(s.stream())).To(BeTrue())
	})
})
