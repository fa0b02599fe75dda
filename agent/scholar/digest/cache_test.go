package digest_test

import (
	"context"
	"fmt"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/recall"
	"evalctl/agent/scholar/digest"
	"evalctl/agent/trace"
)

var _ = Describe("L6: The summary cache of package digest", func() {
	// summarized returns the summaries of documents, the number of model calls, and the events.
	summarized := func(s *store, docs []digest.Document, change func(*digest.Config)) (texts []string, made int,
		h *recordedEvents) {
		GinkgoHelper()
		var c calls
		h = &recordedEvents{}
		play(func(ctx context.Context) {
			cfg := settings(ctx, &c)
			cfg.Cache = s
			if change != nil {
				change(&cfg)
			}
			list, err := digest.Summarize(h.on(ctx), cfg, docs)
			Expect(err).NotTo(HaveOccurred())
			for _, one := range list {
				texts = append(texts, one.Text)
			}
		})
		return texts, c.made, h
	}

	It("is read once for all documents; a key consists of document ID and hash", func() {
		s := &store{}
		_, made, h := summarized(s, documents(30), nil)
		Expect(made).To(Equal(30))
		Expect(s.looks).To(Equal(1))
		Expect(s.kept).To(HaveLen(30))
		for key := range s.kept {
			Expect(key).To(MatchRegexp(`^doc_summary:d\d{3}:[0-9a-f]{64}$`))
		}
		Expect(h.of(trace.KindCacheMiss)).To(HaveLen(30))
	})

	It("makes model calls unnecessary the second time, except for a changed document", func() {
		s := &store{}
		docs := documents(30)
		first, _, _ := summarized(s, docs, nil)
		again, made, h := summarized(s, docs, nil)
		Expect(made).To(BeZero())
		Expect(again).To(Equal(first))
		Expect(h.of(trace.KindCacheHit)).To(HaveLen(30))
		Expect(h.of(trace.KindSummaryStart)).To(BeEmpty())
		for _, e := range h.of(trace.KindSummaryComplete) {
			Expect(e.Reason).To(Equal("cached"))
		}

		docs[3].Text += ", changed"
		_, made, h = summarized(s, docs, nil)
		Expect(made).To(Equal(1))
		Expect(about(h.of(trace.KindCacheMiss)[0]).ID).To(Equal("d003"))
	})

	DescribeTable("replaces old summaries", func(change func(*digest.Config)) {
		s := &store{}
		summarized(s, documents(3), nil)
		_, made, h := summarized(s, documents(3), change)
		Expect(made).To(Equal(3))
		Expect(h.of(trace.KindCacheHit)).To(BeEmpty())
		_, made, _ = summarized(s, documents(3), func(cfg *digest.Config) { change(cfg); cfg.Refresh = false })
		Expect(made).To(BeZero(), "and kept")
	},
		Entry("after a change of the version, such as another model or prompt",
			func(cfg *digest.Config) { cfg.Version = "v2" }),
		Entry("after a request to refresh them", func(cfg *digest.Config) { cfg.Refresh = true }),
	)

	DescribeTable("contains summaries that depend on the retrieval parameters only if the document is large",
		func(text string, want int) {
			s := &store{}
			docs := []digest.Document{{ID: "d", Title: "T", Text: text}}
			recalling := func(cfg *digest.Config) {
				cfg.Questions, cfg.RetrievalVersion = []string{"data"}, "ten of 0.3"
				cfg.Retrieve = func(context.Context, digest.Document, string) ([]recall.Chunk, error) {
					return []recall.Chunk{{Content: "a passage"}}, nil
				}
			}
			summarized(s, docs, recalling)
			for _, change := range []func(*digest.Config){
				func(cfg *digest.Config) { cfg.MaxFullTextTokens = 50 },
				func(cfg *digest.Config) { cfg.RetrievalVersion = "three of 0.5" },
				func(cfg *digest.Config) { cfg.Questions = []string{"method"} },
			} {
				_, made, _ := summarized(s, docs, func(cfg *digest.Config) { recalling(cfg); change(cfg) })
				Expect(made).To(Equal(want))
			}
		},
		Entry("a small document", strings.Repeat(" word", 50), 0),
		Entry("a large document", strings.Repeat(" word", 101), 1),
	)

	It("does not contain partial summaries, which are created again in the next turn", func() {
		s, down := &store{}, true
		docs := []digest.Document{{ID: "d", Title: "T", Text: strings.Repeat(" word", 101)}}
		recalling := func(cfg *digest.Config) {
			cfg.Questions = []string{"data", "method"}
			cfg.Retrieve = func(_ context.Context, _ digest.Document, question string) ([]recall.Chunk, error) {
				if down && question == "data" {
					return nil, errDown
				}
				return []recall.Chunk{{Content: "on " + question}}, nil
			}
		}
		texts, _, h := summarized(s, docs, recalling)
		Expect(texts).To(Equal([]string{"summary of on method"}))
		Expect(s.kept).To(BeEmpty())
		Expect(h.of(trace.KindSummaryComplete)[0].Reason).To(Equal("partial"))

		down = false
		texts, made, h := summarized(s, docs, recalling)
		Expect(made).To(Equal(1))
		Expect(texts[0]).To(ContainSubstring("on data"))
		Expect(h.of(trace.KindSummaryComplete)[0].Reason).To(BeEmpty())
		Expect(s.kept).To(HaveLen(1))
	})

	It("ignores blank values", func() {
		s := &store{}
		summarized(s, documents(1), nil)
		for key := range s.kept {
			s.kept[key] = " "
		}
		_, made, _ := summarized(s, documents(1), nil)
		Expect(made).To(Equal(1))
	})

	It("does not affect the summaries if it fails at any point; only calls and events differ", func() {
		docs := documents(40)
		want, _, _ := summarized(&store{}, docs, nil)

		down, made, h := summarized(&store{down: true}, docs, nil)
		Expect(down).To(Equal(want))
		Expect(made).To(Equal(40))
		Expect(h.of(trace.KindCacheMiss)).To(HaveLen(40))
		Expect(h.of(trace.KindCacheError)).To(HaveLen(1+40), "the look-up, and each summary that was not kept")

		dying := &store{dieAfter: 15}
		got, _, h := summarized(dying, docs, nil)
		Expect(got).To(Equal(want))
		Expect(h.of(trace.KindCacheError)).To(HaveLen(25))
		Expect(dying.kept).To(HaveLen(15))

		half, made, h := summarized(dying, docs, nil)
		Expect(half).To(Equal(want))
		hits := len(h.of(trace.KindCacheHit))
		Expect(hits).To(BeNumerically(">", 0), "what came before it failed is used")
		Expect(made).To(Equal(40 - hits))
	})

	It("has no entry for a document that could not be summarized", func() {
		s := &store{}
		docs := documents(2)
		docs[0].Text = ""
		summarized(s, docs, nil)
		Expect(s.kept).To(HaveLen(1))
	})

	It("emits no events if the Config has no cache", func() {
		play(func(ctx context.Context) {
			var h recordedEvents
			_, err := digest.Summarize(h.on(ctx), settings(ctx, &calls{}), documents(2))
			Expect(err).NotTo(HaveOccurred())
			for _, e := range h.events {
				Expect(strings.HasPrefix(string(e.Kind), "cache")).To(BeFalse(), fmt.Sprint(e))
			}
		})
	})
})
