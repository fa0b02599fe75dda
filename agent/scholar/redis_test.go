package scholar_test

import (
	"github.com/alicebob/miniredis/v2"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent"
	"evalctl/agent/scholar"
	"evalctl/agent/system"
	"evalctl/agent/trace"
	"evalctl/mocks/model"
)

// variant opens the scholar with the setting summary-cache.
func variant(where string) system.LoadedVariant {
	GinkgoHelper()
	of := scholar.System()
	opened, err := of.Open(system.Options{SettingValues: of.WithDefaults(system.SettingValues{"summary-cache": where})})
	Expect(err).NotTo(HaveOccurred())
	DeferCleanup(func() {
		if opened.Close != nil {
			_ = opened.Close() // the test may have closed it already
		}
	})
	return opened
}

// agentOf creates an agent of a variant with the stage's mocks.
func (s *stage) agentOf(o system.LoadedVariant) agent.Agent {
	GinkgoHelper()
	s.open()
	a, err := o.NewAgent(1, s.link)
	Expect(err).NotTo(HaveOccurred())
	return a
}

var _ = Describe("Summaries that are cached in Redis", func() {
	const many = 12
	var server *miniredis.Miniredis
	BeforeEach(func() {
		server = miniredis.NewMiniRedis()
		Expect(server.Start()).To(Succeed())
		DeferCleanup(server.Close)
	})
	at := func() string { return "redis://" + server.Addr() }

	It("L6: are shared by agents: a second agent makes no model calls, or one if one document changed", func() {
		opened := variant(at())
		first, second, third := newStage(summary), newStage(summary), newStage(summary)
		want := first.runTurnsWith(first.agentOf(opened), attached("总结一下", many))[0]
		Expect(want.ErrorReply).To(BeNil())
		Expect(first.spans("document_summary")).To(Equal(many))

		Expect(second.runTurnsWith(second.agentOf(opened), attached("总结一下", many))[0]).To(Equal(want))
		Expect(second.spans("document_summary")).To(BeZero())
		Expect(second.eventLines(trace.KindCacheHit)).To(HaveLen(many))

		changed := attached("总结一下", many)
		changed.Documents[4].Content += "补充一句。"
		third.runTurnsWith(third.agentOf(variant(at())), changed)
		Expect(third.spans("document_summary")).To(Equal(1))
		Expect(third.aboutOf(trace.KindSummaryStart)).To(Equal([]string{"d005"}))
	})

	It("L6: use one connection pool for all agents of a variant, which is closed with the variant", func() {
		opened := variant(at())
		for range 3 {
			s := newStage(summary)
			a := s.agentOf(opened)
			s.runTurnsWith(a, attached("总结一下", 3))
			Expect(agent.Close(a)).To(Succeed())
		}
		Expect(server.TotalConnectionCount()).To(Equal(1))
		Expect(opened.Close()).To(Succeed())
		Eventually(server.CurrentConnectionCount).Should(BeZero())
	})

	It("L6: are the same if Redis fails during a turn; only trace events and calls differ", func() {
		whole := newStage(summary)
		want := whole.runTurnsWith(whole.agentOf(variant(at())), attached("总结一下", many))[0]
		server.FlushAll()

		opened := variant(at())
		s := newStage(summary)
		part, _ := scholar.System().Component("summary")
		s.replies["summary"] = func(r model.Request) model.Answer {
			if len(s.requests["summary"]) == 5 {
				server.Close()
			}
			return model.Answer{Content: part.Simulate(system.SimulatedRequest{Text: r.Text}).Content}
		}
		a := s.agentOf(opened)
		replies := s.runTurnsWith(a, attached("总结一下", many))
		Expect(replies[0]).To(Equal(want))
		Expect(len(s.eventLines(trace.KindCacheError))).To(BeNumerically(">", 0))

		Expect(s.runTurnsWith(a, attached("总结一下", many))[0]).To(Equal(want))
		Expect(s.spans("document_summary")).To(Equal(many))
		Expect(s.eventLines(trace.KindCacheMiss)).To(HaveLen(many))
		Expect(len(s.eventLines(trace.KindCacheError))).To(Equal(1 + many))
	})

	It("cause an error before any turn if the URL of Redis is invalid", func() {
		of := scholar.System()
		_, err := of.Open(system.Options{SettingValues: of.WithDefaults(
			system.SettingValues{"summary-cache": "redis://"})})
		Expect(err).To(MatchError(HavePrefix("summaries: cache.RedisConfig.URL: ")))
	})
})
