package play_test

import (
	"iter"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/secret"
	"evalctl/cmd/evalctl/play"
	"evalctl/eval"
	"evalctl/eval/suite"
)

var _ = Describe("Plan", func() {
	var plan *play.Plan
	var whole []string // keys of all trials
	BeforeEach(func() {
		var suites []suite.Suite
		for _, name := range []string{"toolrouter", "prompt"} {
			s, err := play.LoadSuite(name)
			Expect(err).NotTo(HaveOccurred())
			s.Sample, s.Epochs = 7, 2
			suites = append(suites, s)
		}
		var err error
		plan, err = play.NewPlan(play.Config{Suites: suites, Seed: 1,
			EndpointOptions: play.EndpointOptions{Secrets: &secret.Set{}}})
		Expect(err).NotTo(HaveOccurred())
		DeferCleanup(plan.Close)
		whole = keys(plan.ShardTrials(eval.Shard{}))
		Expect(whole).To(HaveLen(int(plan.TotalTrials())))
	})

	It("assigns every trial to exactly one shard, and all trials of a case to the same one", func() {
		for _, n := range []int{1, 2, 3, 14} {
			shards, of := map[string]int{}, map[string]int{}
			for i := 1; i <= n; i++ {
				for t, err := range plan.ShardTrials(eval.Shard{Index: i, Count: n}) {
					Expect(err).NotTo(HaveOccurred())
					id := t.Condition.Suite + "/" + t.Case.ID
					Expect(of[id]).To(Or(BeZero(), Equal(i)), id)
					shards[t.Key()], of[id] = i, i
				}
			}
			Expect(shards).To(HaveLen(len(whole)), "%d shards", n)
		}
	})

	It("returns trials by number through a TrialCursor: in order, again, in batches of any size, and none after the last one", func() {
		c := plan.Cursor()
		defer c.Close()
		total := plan.TotalTrials()
		for _, size := range []int64{1, 3, 50, total} {
			var list []string
			for from := int64(0); from < total; from += size {
				list = append(list, keys(c.Trials(from, from+size))...)
			}
			Expect(list).To(Equal(whole), "%d at once", size)
		}
		Expect(keys(c.Trials(total-2, total+5))).To(Equal(whole[total-2:]))
		Expect(keys(c.Trials(2, 5))).To(Equal(whole[2:5]))
		Expect(keys(c.Trials(total, total+1))).To(BeEmpty())
		Expect(keys(c.Trials(0, 1))).To(Equal(whole[:1]))
	})

	It("returns an error for a shard without cases", func() {
		s, err := play.LoadSuite("toolrouter")
		Expect(err).NotTo(HaveOccurred())
		s.Sample = 5
		_, err = play.NewPlan(play.Config{Suites: []suite.Suite{s}, Shard: eval.Shard{Index: 1, Count: 6},
			EndpointOptions: play.EndpointOptions{Secrets: &secret.Set{}}})
		Expect(err).To(MatchError("--shard 1/6: there are only 5 cases"))
	})
})

func keys(trials iter.Seq2[eval.Trial, error]) (list []string) {
	GinkgoHelper()
	for t, err := range trials {
		Expect(err).NotTo(HaveOccurred())
		list = append(list, t.Key())
	}
	return list
}
