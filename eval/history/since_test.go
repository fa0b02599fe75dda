package history_test

import (
	"context"
	"fmt"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/eval/gate"
	"evalctl/eval/history"
)

var _ = Describe("The history of a failing case or gate rule", func() {
	var dir string
	ctx := context.Background()
	BeforeEach(func() { dir = GinkgoT().TempDir() })
	turns := func(f history.ConditionHistory) (list []string) {
		for _, t := range f.Changes {
			word := ":broke"
			if t.After.Passing {
				word = ":mended"
			}
			list = append(list, t.Before.Run+"-"+t.After.Run+word)
		}
		return list
	}
	sinceCase := func(id string) history.ConditionHistory {
		GinkgoHelper()
		s, err := opened(dir).CaseHistory(ctx, id, history.Filter{})
		Expect(err).NotTo(HaveOccurred())
		Expect(s.Conditions).To(HaveLen(1))
		return s.Conditions[0]
	}

	It("contains the last passing and the first failing run, and how their settings differ", func() {
		later := of(3)
		later.version, later.router, later.data, later.settings = "v2", "llm", "d2", map[string]string{"a": "s2"}
		many(dir, of(), of(5), later, later)
		f := sinceCase("c03")
		Expect(f.Passing).To(BeFalse())
		Expect(f.RunsWithData).To(Equal(4))
		Expect(turns(f)).To(Equal([]string{"r1-r2:broke"}))
		Expect(f.Differences).To(ConsistOf("version of evalctl: none → v2", "cases (hash of the data set): d1 → d2",
			"router: none → llm"))
	})

	It("states that a prompt changed if the settings hash differs but no setting does", func() {
		later := of(3)
		later.settings = map[string]string{"a": "s2"}
		many(dir, of(), later)
		Expect(sinceCase("c03").Differences).To(ConsistOf(HavePrefix("a prompt or another file")))
	})

	It("shows only the differing parts of nested and long settings", func() {
		first, later := of(), of(3)
		models := `{"chat": {"model": "x", "latency": "` + strings.Repeat("long ", 40) +
			`%s"}, "router": {"accuracy": %s, "calibration": [{"right": 0.1}, {"right": %s}]}, "tags": ["a"%s]}`
		first.models, later.models = fmt.Sprintf(models, "old", "0.9", "0.3", ""),
			fmt.Sprintf(models, "new", "0.4", "0.6", `, "b"`)
		many(dir, first, later)
		Expect(sinceCase("c03").Differences).
			To(Equal([]string{"suite's models.chat.latency: …long long long long old → …long long long long new",
				"suite's models.router.accuracy: 0.9 → 0.4",
				"suite's models.router.calibration[2].right: 0.3 → 0.6", `suite's models.tags: ["a"] → ["a","b"]`}))
	})

	It("shows a limited number of different settings", func() {
		first, later := of(), of(3)
		var list []string
		for i := range 30 {
			list = append(list, fmt.Sprintf(`"m%02d": 1`, i))
		}
		later.models = "{" + strings.Join(list, ",") + "}"
		many(dir, first, later)
		Expect(sinceCase("c03").Differences).
			To(And(HaveLen(21), ContainElement("suite's models.m19: none → 1"), ContainElement("and 10 settings more")))
	})

	It("shows that a case broke, was fixed and broke again, and skips runs without data", func() {
		other := of(3)
		other.suite = "other"
		many(dir, of(), of(3), other, of(), of(3))
		s, err := opened(dir).CaseHistory(ctx, "c03", history.Filter{Suites: []string{"mine"}})
		Expect(err).NotTo(HaveOccurred())
		Expect(turns(s.Conditions[0])).To(Equal([]string{"r0-r1:broke", "r1-r3:mended", "r3-r4:broke"}))
		Expect(s.Conditions[0].RunsWithData).To(Equal(4))
	})

	It("contains no change if a case always passed or always failed", func() {
		many(dir, of(3), of(3))
		Expect(sinceCase("c03")).To(And(HaveField("Passing", false), HaveField("Changes", BeEmpty())))
		Expect(sinceCase("c04")).To(And(HaveField("Passing", true), HaveField("Changes", BeEmpty())))
	})

	It("evaluates a rule as a gate does, separately for each condition, and lists failing conditions first", func() {
		one, two := of(), of(1, 2, 3)
		one.wrong["b"], two.wrong["b"] = []int{}, []int{}
		two.wrong = map[string][]int{"a": {}, "b": {1, 2, 3}}
		many(dir, one, two)
		rule, err := gate.Parse("route.accuracy >= 90%")
		Expect(err).NotTo(HaveOccurred())
		s, err := opened(dir).RuleHistory(ctx, rule, history.Filter{})
		Expect(err).NotTo(HaveOccurred())
		Expect(s.Conditions[0]).
			To(And(HaveField("Variant", "b"), HaveField("Passing", false),
				HaveField("Latest.Reason", ContainSubstring("85.0 %"))))
		Expect(turns(s.Conditions[0])).To(Equal([]string{"r0-r1:broke"}))
		Expect(s.Conditions[1]).To(And(HaveField("Variant", "a"), HaveField("Passing", true)))
	})

	DescribeTable("cannot be computed for a rule that needs more than the metrics of a run", func(text, want string) {
		many(dir, of(1))
		rule, err := gate.Parse(text)
		Expect(err).NotTo(HaveOccurred())
		_, err = opened(dir).RuleHistory(ctx, rule, history.Filter{})
		Expect(err).To(MatchError(ContainSubstring(want)))
	},
		Entry("a rule on a drop", "drop(route.accuracy) <= 1pp", "no drop"),
		Entry("a rule on a tag", "[tag=zh] route.accuracy >= 1", "no tag"),
		Entry("a rule on an unknown metric", "route.acuracy >= 1", "did you mean"),
	)

	It("suggests a similar case ID if the ID is unknown", func() {
		many(dir, of(1))
		_, err := opened(dir).CaseHistory(ctx, "c3", history.Filter{})
		Expect(err).To(MatchError(ContainSubstring("did you mean")))
		_, err = opened(dir).CaseHistory(ctx, "entirely-else", history.Filter{})
		Expect(err).To(MatchError(`no run has a case "entirely-else"`))
	})
})
