package play_test

import (
	"slices"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/secret"
	"evalctl/cmd/evalctl/play"
	"evalctl/datasets"
	"evalctl/eval"
	"evalctl/eval/gate"
	"evalctl/eval/metric"
	"evalctl/eval/runs"
	"evalctl/eval/suite"
	"evalctl/mocks/backend"
)

// few reduces a built-in suite to a few cases with two epochs each.
func few(s suite.Suite, err error) suite.Suite {
	GinkgoHelper()
	Expect(err).NotTo(HaveOccurred())
	s.Sample, s.Epochs = 8, 2
	switch s.Name {
	case "companion", "newsroom": // these tags mark the few cases with several messages or corrected decisions
		s.Sample = 60
	}
	return s
}

// withoutFlags lists the metrics that exist only with a flag of evalctl run that this test does not
// set. The tests of eval/metric derive them.
var withoutFlags = []string{
	// metrics of --grade
	"facts.graded", "facts.grader_agreement", "facts.grader_kappa", "facts.grader.calls", "facts.grader.tokens",
	"facts.grader.cost",
	// simulated models cite no sources
	"citations.valid",
	// metrics of --cache
	"cached.rate",
	// metrics of --rpm, and of an endpoint that rejects requests
	"queue.p50", "queue.p90", "queue.p95", "queue.p99", "queue.mean", "queue.max", "calls.rate_limited",
}

var _ = Describe("28.0: the metric catalogue", func() {
	It("contains every metric that runs write and no other, and gates accept each of them", func() {
		var suites []suite.Suite
		for _, name := range datasets.BuiltInNames() {
			suites = append(suites, few(play.LoadSuite(name)))
		}
		for _, name := range []string{"toolrouter", "newsroom"} {
			s := few(datasets.LoadFaultMatrix(name))
			s, err := backend.ExpandFaults(s)
			Expect(err).NotTo(HaveOccurred())
			s.Name, s.Sample, s.Epochs = name+" under faults", 3, 1
			suites = append(suites, s)
		}
		var secrets secret.Set
		plan, err := play.NewPlan(play.Config{Suites: suites, Seed: 1,
			EndpointOptions: play.EndpointOptions{Secrets: &secrets}})
		Expect(err).NotTo(HaveOccurred())
		run, err := play.StartOptions{Dir: GinkgoT().TempDir()}.Start(plan)
		Expect(err).NotTo(HaveOccurred())
		_, err = run.RunTrials(GinkgoT().Context(), play.Options{MaxMissing: 1})
		Expect(err).NotTo(HaveOccurred())
		r, err := runs.Open(run.Dir)
		Expect(err).NotTo(HaveOccurred())
		accepted, err := play.GateSuiteScopes(r)
		Expect(err).NotTo(HaveOccurred())

		written := map[string]bool{}
		for _, s := range r.Summary.Suites {
			of := slices.DeleteFunc(slices.Clone(accepted),
				func(other gate.SuiteScope) bool { return other.Conditions[0].Suite != s.Name })
			for _, c := range s.Conditions {
				for key, e := range c.Metrics {
					n, ok := metric.Find(key)
					Expect(ok).To(BeTrue(), "%s is not in the catalogue", key)
					written[n.Key] = true
					Expect(gate.Validate([]gate.Rule{{Metric: key}}, of)).
						To(Succeed(), "gates do not know %s of suite %s", key, s.Name)
					expectToFit(n.Def, key, e)
				}
			}
		}
		var unwritten []string
		for _, d := range metric.BuiltIn() {
			if !written[d.Key] {
				unwritten = append(unwritten, d.Key)
			}
		}
		Expect(unwritten).To(ConsistOf(withoutFlags))
	})
})

// expectToFit checks that an estimate has the range, and the bounds for missing trials, that the
// catalogue states for its metric.
func expectToFit(d metric.Def, key string, e eval.Estimate) {
	GinkgoHelper()
	for _, v := range []*float64{e.Value, e.Lo, e.Hi, e.WorstCase, e.BestCase} {
		if v == nil {
			continue
		}
		switch d.Unit {
		case metric.Share, metric.Score:
			Expect(*v).To(And(BeNumerically(">=", 0), BeNumerically("<=", 1)), key)
		case metric.Points, metric.SignedScore:
			Expect(*v).To(And(BeNumerically(">=", -1), BeNumerically("<=", 1)), key)
		case metric.Count, metric.Tokens:
			if v == e.Value && d.Kind != metric.Mean {
				Expect(*v).To(BeEquivalentTo(int64(*v)), key)
			}
		}
	}
	switch d.Missing {
	case metric.NeverMissing:
		Expect(e.Missing).To(BeZero(), key)
	case metric.Bounded:
		if e.Missing > 0 && e.Value != nil {
			Expect(e.WorstCase).NotTo(BeNil(), key)
			Expect(e.BestCase).NotTo(BeNil(), key)
		}
	}
}
