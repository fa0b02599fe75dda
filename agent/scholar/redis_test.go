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

// variant opens the scholar with a cache of summaries somewhere.
func variant(where string) system.OpenVariant {
	GinkgoHelper()
	of := scholar.System()
	opened, err := of.Open(system.Options{Values: of.WithDefaults(system.Values{"summary-cache": where})})
	Expect(err).NotTo(HaveOccurred())
	DeferCleanup(func() {
		if opened.Close != nil {
			_ = opened.Close() // a spec may have closed it
		}
	})
	return opened
}

// agentOf is an agent of a variant, among the stage's mocks.
func (s *stage) agentOf(o system.OpenVariant) agent.Agent {
	GinkgoHelper()
	s.open()
	a, err := o.Agent(1, s.link)
	Expect(err).NotTo(HaveOccurred())
	return a
}

var _ = Describe("Summaries in a Redis", func() {
	const many = 12
	var server *miniredis.Miniredis
	BeforeEach(func() {
		server = miniredis.NewMiniRedis()
		Expect(server.Start()).To(Succeed())
		DeferCleanup(server.Close)
	})
	at := func() string { return "redis://" + server.Addr() }

	It("L6: are shared by agents: the second makes no call, a changed document makes one", func() {
		opened := variant(at())
		first, second, third := newStage(summary), newStage(summary), newStage(summary)
		want := first.playBy(first.agentOf(opened), attached("总结一下", many))[0]
		Expect(want.ErrorReply).To(BeNil())
		Expect(first.spans("document_summary")).To(Equal(many))

		Expect(second.playBy(second.agentOf(opened), attached("总结一下", many))[0]).To(Equal(want))
		Expect(second.spans("document_summary")).To(BeZero())
		Expect(second.of(trace.KindCacheHit)).To(HaveLen(many))

		changed := attached("总结一下", many)
		changed.Documents[4].Content += "补充一句。"
		third.playBy(third.agentOf(variant(at())), changed)
		Expect(third.spans("document_summary")).To(Equal(1))
		Expect(third.aboutOf(trace.KindSummaryStart)).To(Equal([]string{"d005"}))
	})

	It("L6: are reached by one pool of connections for all agents of a variant, which ends with it", func() {
		opened := variant(at())
		for range 3 {
			s := newStage(summary)
			a := s.agentOf(opened)
			s.playBy(a, attached("总结一下", 3))
			Expect(agent.Close(a)).To(Succeed())
		}
		Expect(server.TotalConnectionCount()).To(Equal(1))
		Expect(opened.Close()).To(Succeed())
		Eventually(server.CurrentConnectionCount).Should(BeZero())
	})

	It("L6: that is closed in the middle gives the same reply: only events and calls differ", func() {
		whole := newStage(summary)
		want := whole.playBy(whole.agentOf(variant(at())), attached("总结一下", many))[0]
		server.FlushAll()

		opened := variant(at())
		s := newStage(summary)
		part, _ := scholar.System().Part("summary")
		s.says["summary"] = func(r model.Request) model.Answer {
			if len(s.asked["summary"]) == 5 {
				server.Close()
			}
			return model.Answer{Content: part.Simulate(system.SimulatedRequest{Text: r.Text}).Content}
		}
		a := s.agentOf(opened)
		replies := s.playBy(a, attached("总结一下", many))
		Expect(replies[0]).To(Equal(want))
		Expect(len(s.of(trace.KindCacheError))).To(BeNumerically(">", 0))

		Expect(s.playBy(a, attached("总结一下", many))[0]).To(Equal(want))
		Expect(s.spans("document_summary")).To(Equal(many))
		Expect(s.of(trace.KindCacheMiss)).To(HaveLen(many))
		Expect(len(s.of(trace.KindCacheError))).To(Equal(1 + many))
	})

	It("is told of before any turn where its address is none", func() {
		of := scholar.System()
		_, err := of.Open(system.Options{Values: of.WithDefaults(system.Values{"summary-cache": "redis://"})})
		Expect(err).To(MatchError(HavePrefix("summaries: cache.RedisConfig.URL: ")))
	})
})
