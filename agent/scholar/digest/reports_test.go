package digest_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/clock"
	"evalctl/agent/llm"
	"evalctl/agent/scholar/digest"
	"evalctl/agent/tokens"
	"evalctl/agent/trace"
)

// pieces returns n sections of each tokens.
func pieces(n, each int) (list []digest.Section) {
	for i := range n {
		p := digest.Section{Heading: fmt.Sprintf("## %03d", i), Text: "x"}
		p.Text += strings.Repeat(" word", each-tokens.Count(p.String()))
		list = append(list, p)
	}
	return list
}

func headings(list []digest.Section) (headings []string) {
	for _, p := range list {
		headings = append(headings, p.Heading)
	}
	return headings
}

// writer is a mock of the model that writes reports. It records its input.
type writer struct {
	calls
	groups [][]digest.Section
	merges int
	words  int
	fails  func(group []digest.Section) bool
}

func (w *writer) report(ctx context.Context, group []digest.Section) (string, error) {
	w.groups = append(w.groups, group)
	if err := w.call(ctx); err != nil {
		return "", err
	}
	if w.fails != nil && w.fails(group) {
		return "", &llm.Error{Kind: llm.KindServerError}
	}
	return strings.Repeat(" word", w.words), nil
}

func (w *writer) settings(ctx context.Context, room int) digest.ReportConfig {
	return digest.ReportConfig{Semaphore: clock.NewSemaphore(ctx, "calls", 10), MaxTokens: room, WriteReport: w.report,
		MergeReports: func(ctx context.Context, group []digest.Section) (string, error) {
			w.merges++
			return w.report(ctx, group)
		}}
}

func condensed(w *writer, room int, list []digest.Section) (c digest.CondenseResult, h *recordedEvents,
	duration time.Duration, err error) {
	GinkgoHelper()
	h = &recordedEvents{}
	duration = play(func(ctx context.Context) { c, err = digest.Condense(h.on(ctx), w.settings(ctx, room), list) })
	return c, h, duration, err
}

var _ = Describe("L4: digest.Condense", func() {
	It("returns the summaries unchanged if they fit into one prompt", func() {
		var w writer
		list := pieces(10, 50)
		c, _, _, err := condensed(&w, 500, list)
		Expect(err).NotTo(HaveOccurred())
		Expect(c).To(Equal(digest.CondenseResult{Sections: list, GroupCount: 1}))
		Expect(w.made).To(BeZero())
	})

	It("writes reports on groups concurrently if the summaries exceed the limit by one token", func() {
		w := writer{words: 5}
		list := pieces(200, 50)
		c, h, duration, err := condensed(&w, 499, list)
		Expect(err).NotTo(HaveOccurred())
		Expect(c.GroupCount).To(Equal(23), "nine of 200 have room in each")
		Expect(c.SectionsAreReports).To(BeTrue())
		Expect(c.FailedHeadings).To(BeEmpty())
		Expect(headings(c.Sections)[:2]).To(Equal([]string{"## 1", "## 2"}))
		Expect(c.Sections).To(HaveLen(23))
		Expect(w.peak).To(Equal(10))
		Expect(duration).To(Equal(3 * time.Second))
		Expect(h.events).To(BeEmpty())
		var order []string
		for _, g := range w.groups {
			Expect(tokens.Count(digest.JoinSections(g))).To(BeNumerically("<=", 499))
			order = append(order, headings(g)...)
		}
		Expect(order).To(Equal(headings(list)), "in the order of the documents")
	})

	It("merges the reports until they fit into one prompt", func() {
		w := writer{words: 40}
		// 25 reports are merged to 7, and these to 2, which fit
		c, h, _, err := condensed(&w, 200, pieces(100, 50))
		Expect(err).NotTo(HaveOccurred())
		Expect(c.GroupCount).To(Equal(25))
		Expect(w.made).To(Equal(25 + 7 + 2))
		Expect(w.merges).To(Equal(9))
		Expect(tokens.Count(digest.JoinSections(c.Sections))).To(BeNumerically("<=", 200))
		Expect(h.events).To(BeEmpty())
	})

	It("shortens the reports of groups if merging does not make them shorter, and records this in the trace", func() {
		w := writer{words: 150}
		c, h, _, err := condensed(&w, 200, pieces(40, 50)) // reports of 150 tokens on groups of 200
		Expect(err).NotTo(HaveOccurred())
		Expect(tokens.Count(digest.JoinSections(c.Sections))).To(BeNumerically("<=", 200))
		Expect(w.made).To(Equal(10+5+3+2), "half of the room each: two have room together, and all are merged")
		Expect(c.FailedHeadings).To(BeEmpty())
		Expect(c.Sections).To(HaveLen(2))
		Expect(c.TruncatedCount).To(Equal(20))
		cut := h.of(trace.KindIgnoredInput)
		Expect(cut).To(HaveLen(20))
		Expect(cut[0].Reason).To(Equal("too_long"))
	})

	It("shortens a single summary that does not fit", func() {
		var w writer
		c, h, _, err := condensed(&w, 100, pieces(1, 500))
		Expect(err).NotTo(HaveOccurred())
		Expect(tokens.Count(digest.JoinSections(c.Sections))).To(BeNumerically("~", 98, 2))
		Expect(h.of(trace.KindIgnoredInput)).To(HaveLen(1))
	})

	It("returns no sections if there are no summaries", func() {
		var w writer
		c, _, _, err := condensed(&w, 100, nil)
		Expect(err).NotTo(HaveOccurred())
		Expect(c.Sections).To(BeEmpty())
	})
})

var _ = Describe("L9: digest.Condense with a report that fails", func() {
	It("returns the other reports, and the headings of the summaries that are missing", func() {
		w := writer{words: 5, fails: func(g []digest.Section) bool { return g[0].Heading == "## 004" }}
		c, h, _, err := condensed(&w, 200, pieces(12, 50))
		Expect(err).NotTo(HaveOccurred())
		Expect(headings(c.Sections)).To(Equal([]string{"## 1", "## 3"}))
		Expect(c.FailedHeadings).To(Equal([]string{"## 004", "## 005", "## 006", "## 007"}))
		wrong := h.of(trace.KindNodeError)
		Expect(wrong).To(HaveLen(1))
		Expect(wrong[0].Node).To(Equal("group_report"))
		Expect(wrong[0].Reason).To(Equal("server_error"))
	})

	It("returns the headings of all summaries that a failed merge loses", func() {
		w := writer{words: 40, fails: func(g []digest.Section) bool { return g[0].Heading == "## 1" }}
		c, _, _, err := condensed(&w, 200, pieces(32, 50))
		Expect(err).NotTo(HaveOccurred())
		Expect(c.FailedHeadings).To(HaveLen(16))
		Expect(c.FailedHeadings[15]).To(Equal("## 015"))
	})

	DescribeTable("returns ErrNoReport if no report could be written", func(words int, fails bool) {
		w := writer{words: words, fails: func([]digest.Section) bool { return fails }}
		_, _, _, err := condensed(&w, 200, pieces(12, 50))
		Expect(err).To(MatchError(digest.ErrNoReport))
	},
		Entry("calls that fail", 5, true),
		Entry("empty answers", 0, false),
	)

	It("stops when the context ends", func() {
		w := writer{words: 5}
		play(func(ctx context.Context) {
			limited, cancel := clock.WithTimeout(ctx, time.Millisecond)
			defer cancel()
			_, err := digest.Condense(limited, w.settings(ctx, 200), pieces(100, 50))
			Expect(err).To(MatchError(context.DeadlineExceeded))
		})
		Expect(w.made).To(BeNumerically("<=", 10))
	})
})

// FuzzCondense checks that no prompt exceeds the limit of tokens.
func FuzzCondense(f *testing.F) {
	f.Add("## 1", "图像分割的方法。", 20, 60, 30)
	f.Add("", "\n", 3, 1, 5)
	f.Add("/", "don't \xff", 9, 10, 200)
	f.Fuzz(func(t *testing.T, heading, text string, n, room, words int) {
		list := make([]digest.Section, max(n, 0)%50)
		heading, text = heading[:min(len(heading), 50)], text[:min(len(text), 50)]
		for i := range list {
			list[i] = digest.Section{Heading: heading, Text: strings.Repeat(text, 1+i%7)}
		}
		room = max(room, 0) % 1000
		w := writer{words: max(words, 0) % 500}
		_ = clock.RunSimulated(t.Context(), midnight, func(ctx context.Context) error {
			c, err := digest.Condense(ctx, w.settings(ctx, room), list)
			for _, g := range append(w.groups, c.Sections) {
				if got := tokens.Count(digest.JoinSections(g)); err == nil && got > room && room > 10 {
					t.Errorf("%d tokens where %d have room", got, room)
				}
			}
			return nil
		})
	})
}
