package scholar_test

import (
	"context"
	"fmt"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent"
	"evalctl/agent/recall"
	"evalctl/agent/scholar"
)

var _ = Describe("The cached indexes of attached documents", func() {
	ctx := context.Background()
	finds := func(s recall.Searcher) bool {
		GinkgoHelper()
		found, err := s.Search(ctx, recall.Query{Question: "灰喜鹊"})
		return err == nil && len(found) == 1
	}
	var kept *scholar.Attachments
	indexOf := func(parts ...string) recall.Searcher {
		GinkgoHelper()
		x, err := kept.Of(ctx, parts...)
		Expect(err).NotTo(HaveOccurred())
		return x
	}
	BeforeEach(func() {
		kept = scholar.NewAttachments()
		DeferCleanup(kept.Close)
	})

	It("L5: are built once for the same documents, and again if a document changes", func() {
		first := indexOf("a", "灰喜鹊", "b", "天气")
		Expect(finds(first)).To(BeTrue())
		Expect(indexOf("a", "灰喜鹊", "b", "天气")).To(BeIdenticalTo(first))
		for _, other := range [][]string{{"a", "灰喜鹊。", "b", "天气"}, {"a", "灰喜鹊", "c", "天气"}, {"b", "天气", "a", "灰喜鹊"},
			{"a", "灰喜鹊"}, {"a灰", "喜鹊", "b", "天气"}} {
			Expect(indexOf(other...)).NotTo(BeIdenticalTo(first))
		}
		Expect(kept.Kept()).To(Equal(6))
	})

	It("are limited in number: the least recently used are evicted, but running searches can finish", func() {
		first, second := indexOf("first", "灰喜鹊"), indexOf("second", "灰喜鹊")
		for i := range scholar.MostIndexes - 2 {
			indexOf(fmt.Sprint(i), "天气")
		}
		Expect(indexOf("first", "灰喜鹊")).To(BeIdenticalTo(first))
		indexOf("one more", "天气")
		Expect(kept.Kept()).To(Equal(scholar.MostIndexes))
		Expect(indexOf("first", "灰喜鹊")).To(BeIdenticalTo(first))
		Expect(finds(second)).To(BeTrue())
		Expect(indexOf("second", "灰喜鹊")).NotTo(BeIdenticalTo(second))
	})

	It("are limited by the total size of their documents", func() {
		large := strings.Repeat("灰喜鹊的巢。\n\n", 15_000) // more than the smallest size with which an index counts
		first := indexOf("large", large)
		for i := range scholar.MostIndexes - 1 {
			indexOf(fmt.Sprint(i), "天气")
		}
		Expect(kept.Kept()).To(BeNumerically("<", scholar.MostIndexes))
		Expect(indexOf("large", large)).NotTo(BeIdenticalTo(first))
	})

	It("are shared by all sessions of an agent, and freed when the agent is closed", func() {
		s := newStage(qa)
		a := s.open()
		turn := func(session, content string) agent.Turn {
			return agent.Turn{Text: "灰喜鹊的巢有多高", Session: session,
				Documents: []agent.Document{{Name: "a.md", Content: content + strings.Repeat("\n\n今天的天气很好。", 400)}}}
		}
		replies := s.runTurnsWith(a, turn("1", "灰喜鹊的巢高 6 米。"), turn("1", "灰喜鹊的巢高 6 米。"), turn("2", "灰喜鹊的巢高 6 米。"))
		for _, r := range replies {
			Expect(r.Retrieved).To(Equal(replies[0].Retrieved))
		}
		Expect(scholar.KeptBy(a)).To(Equal(1))
		s.runTurnsWith(a, turn("1", "灰喜鹊的巢高 7 米。"))
		Expect(scholar.KeptBy(a)).To(Equal(2))
		Expect(agent.Close(a)).To(Succeed())
		Expect(scholar.KeptBy(a)).To(BeZero())
	})
})
