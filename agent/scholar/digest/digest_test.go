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

var _ = Describe("L4: summaries of many documents", func() {
	It("are created ten at a time: 200 of one second each take 20 seconds", func() {
		var c calls
		duration := play(func(ctx context.Context) {
			list, err := digest.Summaries(ctx, settings(ctx, &c), documents(200))
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

	It("share the limit with all other calls of the turn", func() {
		var c calls
		play(func(ctx context.Context) {
			cfg := settings(ctx, &c)
			Expect(cfg.Semaphore.Acquire(ctx)).To(Succeed())
			_, err := digest.Summaries(ctx, cfg, documents(50))
			Expect(err).NotTo(HaveOccurred())
		})
		Expect(c.peak).To(Equal(9))
	})

	It("have events for the total, and for the start, pieces and end of each document", func() {
		var h recordedEvents
		play(func(ctx context.Context) {
			_, err := digest.Summaries(h.on(ctx), settings(ctx, &calls{}), documents(2))
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

	It("have a limited number of events, for pieces of any size", func() {
		var h recordedEvents
		play(func(ctx context.Context) {
			cfg := settings(ctx, &calls{})
			cfg.Summarize = func(_ context.Context, _ digest.Document, _ string, piece func(string)) (string, error) {
				for range 100_000 {
					piece("字")
				}
				return strings.Repeat("字", 100_000), nil
			}
			_, err := digest.Summaries(h.on(ctx), cfg, documents(1))
			Expect(err).NotTo(HaveOccurred())
		})
		said := ""
		for _, e := range h.events {
			said += e.Text
		}
		Expect(said).To(Equal(strings.Repeat("字", 100_000)), "nothing is lost")
		Expect(len(h.events)).To(BeNumerically("<", 500))
	})

	It("end with the context, and return its error", func() {
		var c calls
		play(func(ctx context.Context) {
			limited, cancel := clock.WithTimeout(ctx, 1500*time.Millisecond)
			defer cancel()
			_, err := digest.Summaries(limited, settings(ctx, &c), documents(100))
			Expect(err).To(MatchError(context.DeadlineExceeded))
		})
		Expect(c.made).To(BeNumerically("<=", 20))
		Expect(c.now).To(BeZero())
	})

	It("work for a thousand documents", func() {
		var c calls
		duration := play(func(ctx context.Context) {
			list, err := digest.Summaries(ctx, settings(ctx, &c), documents(1000))
			Expect(err).NotTo(HaveOccurred())
			Expect(list).To(HaveLen(1000))
		})
		Expect(duration).To(Equal(100 * time.Second))
	})

	It("work in real time, too", func() {
		cfg := settings(context.Background(), &calls{})
		inner := cfg.Summarize
		cfg.Summarize = func(ctx context.Context, d digest.Document, text string, piece func(string)) (string, error) {
			_ = inner // takes one second
			piece(text)
			return text, nil
		}
		var h recordedEvents
		list, err := digest.Summaries(h.on(context.Background()), cfg, documents(50))
		Expect(err).NotTo(HaveOccurred())
		Expect(list[49].Text).To(Equal("the text of 49"))
		Expect(h.of(trace.KindSummaryComplete)).To(HaveLen(50))
	})
})

var _ = Describe("L9: a failed document", func() {
	It("is named as one of 50, and the other 49 are used", func() {
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
			list, err = digest.Summaries(h.on(ctx), cfg, documents(50))
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

	DescribeTable("does not fail the others", func(text, answer, reason string, asked int) {
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
			list, err := digest.Summaries(h.on(ctx), cfg, docs)
			Expect(err).NotTo(HaveOccurred())
			Expect([]string{list[0].Text, list[1].Text, list[2].Text}).To(Equal([]string{"well", "", "well"}))
			Expect(list[1].Reason).To(Equal(reason))
			Expect(list[1].Err).To(HaveOccurred())
		})
		Expect(made).To(Equal(asked))
		Expect(h.of(trace.KindSummaryError)).To(HaveLen(1))
	},
		Entry("after a panic of its model", "text", "panic", "panic", 3),
		Entry("after an empty answer", "text", " \n", "empty_content", 3),
		Entry("if it is empty, without a call", " \n\t", "", "empty_document", 2),
		Entry("if it contains only control characters, without a call", "\x00\x01\x02 \x7f--", "", "unreadable", 2),
	)

	It("leads to an error if there is no other", func() {
		play(func(ctx context.Context) {
			cfg := settings(ctx, &calls{})
			cfg.Summarize = func(context.Context, digest.Document, string, func(string)) (string,
				error) {
				return "", errDown
			}
			list, err := digest.Summaries(ctx, cfg, documents(3))
			Expect(err).To(MatchError(digest.ErrNoSummary))
			Expect(list).To(HaveLen(3))
			_, err = digest.Summaries(ctx, cfg, nil)
			Expect(err).To(MatchError(digest.ErrNoSummary))
		})
	})
})

var _ = Describe("L4: a large document", func() {
	large := digest.Document{ID: "big", Title: "Big", Text: strings.Repeat("word ", 101)}
	// found returns passages for the question.
	found := func(ctx context.Context, d digest.Document, question string) ([]recall.Chunk, error) {
		return []recall.Chunk{{Content: "best on " + question}, {Content: "the same"}, {Content: " "}}, nil
	}
	// shown is the input of its model.
	shown := func(ctx context.Context, cfg digest.Config, d digest.Document) (text string, list []digest.Summary,
		err error) {
		cfg.Summarize = func(_ context.Context, _ digest.Document, t string, _ func(string)) (string, error) {
			text = t
			return "short", nil
		}
		list, err = digest.Summaries(ctx, cfg, []digest.Document{d})
		return text, list, err
	}

	It("is represented by distinct passages for the questions, best first", func() {
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

	It("is searched under the same limit as model calls", func() {
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
			_, err := digest.Summaries(ctx, cfg, docs)
			Expect(err).NotTo(HaveOccurred())
		})
		Expect(c.peak).To(Equal(10))
		Expect(duration).To(Equal(16*time.Second), "40 documents of four calls, ten at once")
	})

	It("gets no longer an input than a small one", func() {
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

	It("of 5 MB works like others", func() {
		play(func(ctx context.Context) {
			cfg := settings(ctx, &calls{})
			cfg.Questions, cfg.Retrieve = []string{"data"}, found
			text, _, err := shown(ctx, cfg, digest.Document{ID: "huge", Text: strings.Repeat("好", 5<<20/3)})
			Expect(err).NotTo(HaveOccurred())
			Expect(text).To(HavePrefix("best on data"))
		})
	})

	It("is used with the questions that have hits", func() {
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

	DescribeTable("fails without affecting others", func(answer []recall.Chunk, bad error, reason string) {
		play(func(ctx context.Context) {
			cfg := settings(ctx, &calls{})
			cfg.Questions = []string{"data"}
			cfg.Retrieve = func(context.Context, digest.Document, string) ([]recall.Chunk, error) { return answer, bad }
			list, err := digest.Summaries(ctx, cfg, append(documents(1), large))
			Expect(err).NotTo(HaveOccurred())
			Expect(list[0].Err).NotTo(HaveOccurred())
			Expect(list[1].Reason).To(Equal(reason))
		})
	},
		Entry("if the retrieval service fails", nil, &llm.Error{Kind: llm.KindServerError}, "server_error"),
		Entry("if nothing is found", []recall.Chunk{{Content: " "}}, nil, "no_results"),
	)
})
