package metric_test

import (
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/eval/metric"
)

var _ = Describe("28.0: the metric catalogue", func() {
	It("defines every metric exactly once, with all fields", func() {
		keys := map[string]bool{}
		for _, d := range metric.BuiltIn() {
			Expect(keys[d.Key]).To(BeFalse(), "%s is declared twice", d.Key)
			keys[d.Key] = true
			Expect(d.Label).NotTo(BeEmpty(), d.Key)
			Expect(d.Heading).NotTo(BeEmpty(), d.Key)
			Expect(d.Unit).NotTo(BeZero(), d.Key)
			Expect(d.Kind).NotTo(BeZero(), d.Key)
			Expect(d.Group).NotTo(BeZero(), d.Key)
			Expect(d.Group.String()).NotTo(BeEmpty(), d.Key)
			Expect(d.Meaning).To(HaveSuffix("."), d.Key)
			Expect(strings.Fields(d.Meaning)).To(HaveLen(min(len(strings.Fields(d.Meaning)), 25)),
				"%s: a meaning is one short sentence", d.Key)
			if !strings.Contains(d.Heading, "{") {
				Expect(len([]rune(d.Heading))).To(BeNumerically("<=", 14),
					"%s: %q is too wide for the head of a column",
					d.Key, d.Heading)
			}
			for _, word := range []string{d.Label, d.Heading} {
				if _, after, is := strings.Cut(word, "{"); is && !strings.HasPrefix(after, "epochs}") {
					Expect(after).To(HavePrefix(d.Placeholder()+"}"), "%s: %q", d.Key, word)
				}
			}
		}
		Expect(len(keys)).To(BeNumerically(">", 140))
	})

	It("names the denominator of every proportion", func() {
		for _, d := range metric.BuiltIn() {
			if d.Kind == metric.Proportion {
				Expect(d.Denominator()).NotTo(BeEmpty(), d.Key)
				Expect(d.Denominator()).NotTo(ContainSubstring(";"), d.Key)
			}
		}
	})

	DescribeTable("contains the definition of a metric key, which Find returns", func(key, entry, member string) {
		n, ok := metric.Find(key)
		Expect(ok).To(BeTrue())
		Expect(n.Key).To(Equal(entry))
		Expect(n.Member).To(Equal(member))
	},
		Entry("a single metric", "oos.recall", "oos.recall", ""),
		Entry("a metric of a label", "route.f1.退款", "route.f1.{label}", "退款"),
		Entry("a metric of a label with dots", "route.f1.card.lost", "route.f1.{label}", "card.lost"),
		Entry("a metric of a label that is named like a quantile", "route.recall.p95", "route.recall.{label}", "p95"),
		Entry("a metric of a node with dots", "node.mcp.search.p95", "node.{node}.p95", "mcp.search"),
		Entry("the family with the most fixed text, if several match", "slots.year.false_hits",
			"slots.{slot}.false_hits", "year"),
		Entry("a metric of a further label field", "back.accuracy", "{field}.accuracy", "back"),
		Entry("a single metric, although a family also matches", "route.accuracy", "route.accuracy", ""),
	)

	DescribeTable("does not contain a key that no run writes", func(key string) {
		_, ok := metric.Find(key)
		Expect(ok).To(BeFalse())
	},
		Entry("a quantile that is not computed", "latency.p94"), Entry("a family with an empty member", "route.f1."),
		Entry("a further label field with dots", "a.b.accuracy"), Entry("a time without its statistic", "latency"),
		Entry("an empty key", ""),
	)

	It("lists the keys of a suite: without metrics that the suite cannot have, and with its labels", func() {
		keys := metric.BuiltIn().KeysFor(metric.Epochs|metric.Retrieval,
			metric.FamilyMembers{"label": {"a", "b"}, "slot": nil})
		Expect(keys).To(ContainElements("route.accuracy", "route.pass_k", "retrieval.hit_rate", "route.f1.a",
			"route.f1.b", "node."+metric.Wildcard+".p95"))
		Expect(keys).NotTo(ContainElements("oos.recall"))
		Expect(keys).NotTo(ContainElement("retrieval.mrr"), "it needs that everything is to be found")
		Expect(keys).NotTo(ContainElement(HavePrefix("slots.")))
		Expect(keys).NotTo(ContainElement("route.f1." + metric.Wildcard))
	})

	It("treats an unknown key as the score of a custom scorer, which is a proportion", func() {
		n := metric.FindOrCustom("politeness.polite")
		Expect(n.Unit).To(Equal(metric.Share))
		Expect(n.Kind).To(Equal(metric.Proportion))
		Expect(n.Missing).To(Equal(metric.Bounded))
	})

	DescribeTable("28.8: maps a former name of a metric to the current one", func(old, key string) {
		got, ok := metric.CurrentKey(old)
		Expect(ok).To(BeTrue())
		Expect(got).To(Equal(key))
		_, ok = metric.Find(got)
		Expect(ok).To(BeTrue())
	},
		Entry(nil, "unjudged.rate", "unscored.rate"), Entry(nil, "served.correct", "answered_by.correct"),
		Entry(nil, "apology.rate", "error_reply.rate"), Entry(nil, "apology.BUSY", "error_reply.BUSY"),
		Entry(nil, "latency.apology.p95", "latency.error_reply.p95"),
		Entry(nil, "supervisor.asked_again_rate", "supervisor.called_again_rate"),
		Entry(nil, "supervisor.asked_again_rate.no_decision", "supervisor.called_again_rate.no_decision"),
		Entry(nil, "fault.struck", "fault.affected"), Entry(nil, "fault.untold", "fault.unspecified"),
		Entry(nil, "calls.refused", "calls.rate_limited"),
		Entry(nil, "tokens.in", "tokens.in_total"), Entry(nil, "tokens.out", "tokens.out_total"),
		Entry(nil, "cost.usd", "cost.total_usd"),
	)

	It("28.8: does not map a name that no metric ever had", func() {
		for _, key := range []string{"route.accuracy", "tokens.in_mean", "tokens.inner", "cost.usd_per_1000",
			"fault.strucked"} {
			_, ok := metric.CurrentKey(key)
			Expect(ok).To(BeFalse(), key)
		}
	})

	It("is returned as a copy, so that changes to it have no effect on other callers", func() {
		metric.BuiltIn()[0].Label = "changed"
		Expect(metric.BuiltIn()[0].Label).NotTo(Equal("changed"))
	})
})
