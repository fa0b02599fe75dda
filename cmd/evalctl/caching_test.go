package main

import (
	"github.com/alicebob/miniredis/v2"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/cmd/evalctl/exit"
)

// answersByCase returns, for each case of a run, the decisions and answers of its trials.
func answersByCase(dir string) map[string][]string {
	GinkgoHelper()
	answers := map[string][]string{}
	for _, t := range tracesIn(dir) {
		for _, turn := range t.Outcome.Turns {
			answers[t.Case] = append(answers[t.Case], turn.Reply.Predicted, turn.Reply.AnsweredBy, turn.Reply.Content)
		}
	}
	return answers
}

var _ = Describe("A cache that outlives a run", Label("concurrent"), func() {
	// summarising runs cases with several documents. It returns the answers, the number of
	// generated summaries and the cache hit rate.
	summarising := func(redis string) (said map[string][]string, made, hits float64) {
		GinkgoHelper()
		dir := newRunDir()
		suite := fileOf("cached.yaml",
			"name: cached\ntarget: scholar\ndataset: scholar\nvariants:\n  - name: usual\n    summary-cache: "+
				redis+"\n"+
				window(3000, 300)+"cases: [sch-en-113, sch-en-143, sch-en-196, sch-zh-522]\n")
		got := evalctl("run", suite, "--out", dir, "-q")
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		figures := summaryOf(dir).Suites[0].Conditions[0].Metrics
		if calls, ok := figures["node.document_summary.calls"]; ok {
			made = *calls.Value
		}
		return answersByCase(dir), made, *figures["cache.hit_rate"].Value
	}

	It("L6: provides all summaries of the next run, and does not change any answer if it is unavailable", func() {
		server := miniredis.NewMiniRedis()
		Expect(server.Start()).To(Succeed())
		DeferCleanup(server.Close)
		redis := "redis://" + server.Addr()

		first, made, hits := summarising(redis)
		Expect(made).To(BeNumerically(">=", 8))
		Expect(hits).To(BeNumerically("<", 1))

		second, again, found := summarising(redis)
		Expect(again).To(BeZero())
		Expect(found).To(BeEquivalentTo(1))
		Expect(second).To(Equal(first))

		server.Close()
		dead, anew, lost := summarising(redis)
		Expect(anew).To(Equal(made), "every summary is made")
		Expect(lost).To(BeZero())
		Expect(dead).To(Equal(first))
	})
})
