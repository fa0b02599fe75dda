package digest_test

import (
	"context"
	"fmt"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/clock"
	"evalctl/agent/llm"
	"evalctl/agent/recall"
	"evalctl/agent/scholar/digest"
	"evalctl/agent/tokens"
	"evalctl/agent/trace"
)

var _ = Describe("L4: digest.Summarize", func() {
	It("summarizes ten documents at a time: 200 documents take 20 calls of one second", func() {
		var c calls
		duration := play(func(ctx context.Context) {
			list, err := digest.Summarize(ctx, settings(ctx, &c), documents(200))
			Expect(err).NotTo(HaveOccurred())
			for i, s := range list {
				Expect(s).To(Equal(digest.Summary{ID: fmt.Sprintf("d%03d", i), Title: fmt.Sprintf("Title %d", i),
					Text: fmt.Sprintf("summary of the text of %d", i)}))
			}
		})
		Expect(c.peak).To(Equal(10))
		Expect(c.made).To(Equal(200))
		Expect(duration).To(Equal(20 * time.Second))
	})

	It("counts its calls and all other calls of the turn toward one limit on concurrent calls", func() {
		var c calls
		play(func(ctx context.Context) {
			cfg := settings(ctx, &c)
			Expect(cfg.Semaphore.Acquire(ctx)).To(Succeed())
			_, err := digest.Summarize(ctx, cfg, documents(50))
			Expect(err).NotTo(HaveOccurred())
		})
		Expect(c.peak).To(Equal(9))
	})

	It("emits events for the total, and for the start, the pieces and the end of each document", func() {
		var h recordedEvents
		play(func(ctx context.Context) {
			_, err := digest.Summarize(h.on(ctx), settings(ctx, &calls{}), documents(2))
			Expect(err).NotTo(HaveOccurred())
		})
		Expect(about(h.events[0])).To(Equal(digest.DocumentEvent{Total: 2}))
		of := map[string][]string{}
		for i, e := range h.events {
			Expect(e.Node).To(Equal("document_summary"))
			if i > 0 {
				id := about(e).ID
				of[id] = append(of[id], string(e.Kind))
				Expect(about(e).Total).To(Equal(2))
				Expect(about(e).Title).To(Equal(fmt.Sprintf("Title %d", about(e).Index-1)))
			}
		}
		whole := []string{"doc_summary_start", "doc_summary_chunk", "doc_summary_chunk", "doc_summary_complete"}
		Expect(of).To(Equal(map[string][]string{"d000": whole, "d001": whole}))
	})

	It("limits the number of events, however small the pieces are", func() {
		var h recordedEvents
		play(func(ctx context.Context) {
			cfg := settings(ctx, &calls{})
			cfg.Summarize = func(_ context.Context, _ digest.Document, _ string, piece func(string)) (string, error) {
				for range 100_000 {
					piece("字")
				}
				return strings.Repeat("字", 100_000), nil
			}
			_, err := digest.Summarize(h.on(ctx), cfg, documents(1))
			Expect(err).NotTo(HaveOccurred())
		})
		said := ""
		for _, e := range h.events {
			said += e.Text
		}
		Expect(said).To(Equal(strings.Repeat("字", 100_000)), "nothing is lost")
		Expect(len(h.events)).To(BeNumerically("<", 500))
	})

	It("stops when the context ends, and returns the context's error", func() {
		var c calls
		play(func(ctx context.Context) {
			limited, cancel := clock.WithTimeout(ctx, 1500*time.Millisecond)
			defer cancel()
			_, err := digest.Summarize(limited, settings(ctx, &c), documents(100))
			Expect(err).To(MatchError(context.DeadlineExceeded))
		})
		Expect(c.made).To(BeNumerically("<=", 20))
		Expect(c.now).To(BeZero())
	})

	It("summarizes a thousand documents", func() {
		var c calls
		duration := play(func(ctx context.Context) {
			list, err := digest.Summarize(ctx, settings(ctx, &c), documents(1000))
			Expect(err).NotTo(HaveOccurred())
			Expect(list).To(HaveLen(1000))
		})
		Expect(duration).To(Equal(100 * time.Second))
	})

	It("works in real time as well as in simulated time", func() {
		cfg := settings(context.Background(), &calls{})
		inner := cfg.Summarize
		cfg.Summarize = func(ctx context.Context, d digest.Document, text string, piece func(string)) (string, error) {
			_ = inner // takes one second
			piece(text)
			return text, nil
		}
		var h recordedEvents
		list, err := digest.Summarize(h.on(context.Background()), cfg, documents(50))
		Expect(err).NotTo(HaveOccurred())
		Expect(list[49].Text).To(Equal("the text of 49"))
		Expect(h.of(trace.KindSummaryComplete)).To(HaveLen(50))
	})
})

var _ = Describe("L9: digest.Summarize with a document that fails", func() {
	It("returns the summaries of the 49 other documents, and emits an event with the reason", func() {
		var h recordedEvents
		var list []digest.Summary
		play(func(ctx context.Context) {
			cfg := settings(ctx, &calls{})
			well := cfg.Summarize
			cfg.Summarize = func(ctx context.Context, d digest.Document, text string,
				piece func(string)) (string, error) {
				if d.ID == "d017" {
					return "", &llm.Error{Kind: llm.KindServerError}
				}
				return well(ctx, d, text, piece)
			}
			var err error
			list, err = digest.Summarize(h.on(ctx), cfg, documents(50))
			Expect(err).NotTo(HaveOccurred())
		})
		for i, s := range list {
			Expect(s.Text == "").To(Equal(i == 17), s.ID)
		}
		Expect(list[17].Reason).To(Equal("server_error"))
		Expect(list[17].Err).To(MatchError(llm.KindServerError))
		wrong := h.of(trace.KindSummaryError)
		Expect(wrong).To(HaveLen(1))
		Expect(wrong[0].Reason).To(Equal("server_error"))
		Expect(about(wrong[0])).
			To(Equal(digest.DocumentEvent{ID: "d017", Title: "Title 17", Index: 18, Total: 50, Reason: "server_error"}))
		Expect(h.of(trace.KindSummaryComplete)).To(HaveLen(49))
	})

	DescribeTable("returns the summaries of the other documents, and the reason",
		func(text, answer, reason string, asked int) {
			var h recordedEvents
			made := 0
			play(func(ctx context.Context) {
				cfg := settings(ctx, &calls{})
				cfg.Summarize = func(_ context.Context, d digest.Document, _ string, _ func(string)) (string, error) {
					made++
					if d.ID == "d001" && answer == "panic" {
						panic("broken")
					}
					if d.ID == "d001" {
						return answer, nil
					}
					return "well", nil
				}
				docs := documents(3)
				docs[1].Text = text
				list, err := digest.Summarize(h.on(ctx), cfg, docs)
				Expect(err).NotTo(HaveOccurred())
				Expect([]string{list[0].Text, list[1].Text, list[2].Text}).To(Equal([]string{"well", "", "well"}))
				Expect(list[1].Reason).To(Equal(reason))
				Expect(list[1].Err).To(HaveOccurred())
			})
			Expect(made).To(Equal(asked))
			Expect(h.of(trace.KindSummaryError)).To(HaveLen(1))
		},
		Entry("a panic of the summary function", "text", "panic", "panic", 3),
		Entry("an empty summary", "text", " \n", "empty_content", 3),
		Entry("an empty document, which is not summarized", " \n\t", "", "empty_document", 2),
		Entry("a document of control characters, which is not summarized", "\x00\x01\x02 \x7f--", "", "unreadable", 2),
	)

	It("returns ErrNoSummary if there is no other document", func() {
		play(func(ctx context.Context) {
			cfg := settings(ctx, &calls{})
			cfg.Summarize = func(context.Context, digest.Document, string, func(string)) (string,
				error) {
				return "", errDown
			}
			list, err := digest.Summarize(ctx, cfg, documents(3))
			Expect(err).To(MatchError(digest.ErrNoSummary))
			Expect(list).To(HaveLen(3))
			_, err = digest.Summarize(ctx, cfg, nil)
			Expect(err).To(MatchError(digest.ErrNoSummary))
		})
	})
})

var _ = Describe("L4: digest.Summarize with a large document", func() {
	large := digest.Document{ID: "big", Title: "Big", Text: strings.Repeat("word ", 101)}
	// found returns passages for any question.
	found := func(ctx context.Context, d digest.Document, question string) ([]recall.Chunk, error) {
		return []recall.Chunk{{Content: "best on " + question}, {Content: "the same"}, {Content: " "}}, nil
	}
	// shown returns the text from which a document is summarized.
	shown := func(ctx context.Context, cfg digest.Config, d digest.Document) (text string, list []digest.Summary,
		err error) {
		cfg.Summarize = func(_ context.Context, _ digest.Document, t string, _ func(string)) (string, error) {
			text = t
			return "short", nil
		}
		list, err = digest.Summarize(ctx, cfg, []digest.Document{d})
		return text, list, err
	}

	It("summarizes the distinct passages for the questions, best first", func() {
		play(func(ctx context.Context) {
			cfg := settings(ctx, &calls{})
			cfg.Questions, cfg.Retrieve = []string{"data", "method"}, found
			text, _, err := shown(ctx, cfg, large)
			Expect(err).NotTo(HaveOccurred())
			Expect(text).To(Equal("best on data\n\nbest on method\n\nthe same"))
			text, _, err = shown(ctx, cfg, digest.Document{ID: "small", Text: strings.Repeat(" word", 100)})
			Expect(err).NotTo(HaveOccurred())
			Expect(text).To(HavePrefix(" word word"))
		})
	})

	It("limits retrievals and model calls together", func() {
		var c calls
		duration := play(func(ctx context.Context) {
			cfg := settings(ctx, &c)
			cfg.Questions = []string{"data", "method", "results"}
			cfg.Retrieve = func(ctx context.Context, d digest.Document, question string) ([]recall.Chunk, error) {
				return []recall.Chunk{{Content: question}}, c.call(ctx)
			}
			docs := documents(40)
			for i := range docs {
				docs[i].Text = large.Text
			}
			_, err := digest.Summarize(ctx, cfg, docs)
			Expect(err).NotTo(HaveOccurred())
		})
		Expect(c.peak).To(Equal(10))
		Expect(duration).To(Equal(16*time.Second), "40 documents of four calls, ten at once")
	})

	It("limits the passages to the size of a small document", func() {
		play(func(ctx context.Context) {
			cfg := settings(ctx, &calls{})
			for _, passage := range []string{strings.Repeat(" word", 30), strings.Repeat(" word", 500)} {
				cfg.Questions = []string{"data"}
				cfg.Retrieve = func(context.Context, digest.Document, string) (list []recall.Chunk, err error) {
					for i := range 10 {
						list = append(list, recall.Chunk{Content: fmt.Sprint(i, passage)})
					}
					return list, nil
				}
				text, _, err := shown(ctx, cfg, large)
				Expect(err).NotTo(HaveOccurred())
				Expect(tokens.Count(text)).To(And(BeNumerically("<=", 100), BeNumerically(">", 60)))
			}
		})
	})

	It("accepts a document of 5 MB", func() {
		play(func(ctx context.Context) {
			cfg := settings(ctx, &calls{})
			cfg.Questions, cfg.Retrieve = []string{"data"}, found
			text, _, err := shown(ctx, cfg, digest.Document{ID: "huge", Text: strings.Repeat("好", 5<<20/3)})
			Expect(err).NotTo(HaveOccurred())
			Expect(text).To(HavePrefix("best on data"))
		})
	})

	It("uses the passages of successful searches if one search fails", func() {
		var h recordedEvents
		play(func(ctx context.Context) {
			cfg := settings(ctx, &calls{})
			cfg.Questions = []string{"data", "method"}
			cfg.Retrieve = func(ctx context.Context, d digest.Document, question string) ([]recall.Chunk, error) {
				if question == "data" {
					return nil, &llm.Error{Kind: llm.KindTimeout}
				}
				return found(ctx, d, question)
			}
			text, _, err := shown(h.on(ctx), cfg, large)
			Expect(err).NotTo(HaveOccurred())
			Expect(text).To(HavePrefix("best on method"))
		})
		wrong := h.of(trace.KindNodeError)
		Expect(wrong).To(HaveLen(1))
		Expect(wrong[0].Reason).To(Equal("timeout"))
	})

	DescribeTable("returns the summaries of the other documents if there are no passages, and the reason",
		func(answer []recall.Chunk, bad error, reason string) {
			play(func(ctx context.Context) {
				cfg := settings(ctx, &calls{})
				cfg.Questions = []string{"data"}
				cfg.Retrieve = func(context.Context, digest.Document, string) ([]recall.Chunk,
					error) {
					return answer, bad
				}
				list, err := digest.Summarize(ctx, cfg, append(documents(1), large))
				Expect(err).NotTo(HaveOccurred())
				Expect(list[0].Err).NotTo(HaveOccurred())
				Expect(list[1].Reason).To(Equal(reason))
			})
		},
		Entry("a failure of the retrieval service", nil, &llm.Error{Kind: llm.KindServerError}, "server_error"),
		Entry("a search without results", []recall.Chunk{{Content: " "}}, nil, "no_results"),
	)
})
