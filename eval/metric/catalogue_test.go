package metric_test

import (
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/eval/metric"
)

var _ = Describe("28.0: the metric catalogue", func() {
	It("describes every metric exactly once, with all attributes", func() {
		keys := map[string]bool{}
		for _, d := range metric.Shipped() {
			Expect(keys[d.Key]).To(BeFalse(), "%s is declared twice", d.Key)
			keys[d.Key] = true
			Expect(d.Label).NotTo(BeEmpty(), d.Key)
			Expect(d.Head).NotTo(BeEmpty(), d.Key)
			Expect(d.Unit).NotTo(BeZero(), d.Key)
			Expect(d.Kind).NotTo(BeZero(), d.Key)
			Expect(d.Group).NotTo(BeZero(), d.Key)
			Expect(d.Group.String()).NotTo(BeEmpty(), d.Key)
			Expect(d.Meaning).To(HaveSuffix("."), d.Key)
			Expect(strings.Fields(d.Meaning)).To(HaveLen(min(len(strings.Fields(d.Meaning)), 25)),
				"%s: a meaning is one short sentence", d.Key)
			if !strings.Contains(d.Head, "{") {
				Expect(len([]rune(d.Head))).To(BeNumerically("<=", 14), "%s: %q is too wide for the head of a column",
					d.Key, d.Head)
			}
			for _, word := range []string{d.Label, d.Head} {
				if _, after, is := strings.Cut(word, "{"); is && !strings.HasPrefix(after, "epochs}") {
					Expect(after).To(HavePrefix(d.Placeholder()+"}"), "%s: %q", d.Key, word)
				}
			}
		}
		Expect(len(keys)).To(BeNumerically(">", 140))
	})

	It("names the denominator of every share of trials, turns or decisions", func() {
		for _, d := range metric.Shipped() {
			if d.Kind == metric.Proportion {
				Expect(d.Denominator()).NotTo(BeEmpty(), d.Key)
				Expect(d.Denominator()).NotTo(ContainSubstring(";"), d.Key)
			}
		}
	})

	DescribeTable("finds the entry of a metric", func(key, entry, member string) {
		n, ok := metric.Find(key)
		Expect(ok).To(BeTrue())
		Expect(n.Key).To(Equal(entry))
		Expect(n.Text).To(Equal(member))
	},
		Entry("a single metric", "oos.recall", "oos.recall", ""),
		Entry("a class", "route.f1.退款", "route.f1.{label}", "退款"),
		Entry("a class with dots", "route.f1.card.lost", "route.f1.{label}", "card.lost"),
		Entry("a class named like a quantile", "route.recall.p95", "route.recall.{label}", "p95"),
		Entry("a node with dots", "node.mcp.search.p95", "node.{node}.p95", "mcp.search"),
		Entry("the family with the longest literal text", "slots.year.false_hits", "slots.{slot}.false_hits", "year"),
		Entry("a further label", "back.accuracy", "{field}.accuracy", "back"),
		Entry("a single metric before a family", "route.accuracy", "route.accuracy", ""),
	)

	DescribeTable("does not find a metric that no run writes", func(key string) {
		_, ok := metric.Find(key)
		Expect(ok).To(BeFalse())
	},
		Entry("another quantile", "latency.p94"), Entry("a family without a member", "route.f1."),
		Entry("a further label with dots", "a.b.accuracy"), Entry("a family alone", "latency"), Entry("empty key", ""),
	)

	It("lists the keys of a suite, without metrics whose needs are not met, and with the declared members", func() {
		keys := metric.Shipped().KeysFor(metric.Epochs|metric.Retrieval, metric.Sets{"label": {"a", "b"}, "slot": nil})
		Expect(keys).To(ContainElements("route.accuracy", "route.pass_k", "retrieval.hit_rate", "route.f1.a",
			"route.f1.b", "node."+metric.Wildcard+".p95"))
		Expect(keys).NotTo(ContainElements("oos.recall"))
		Expect(keys).NotTo(ContainElement("retrieval.mrr"), "it needs that everything is to be found")
		Expect(keys).NotTo(ContainElement(HavePrefix("slots.")))
		Expect(keys).NotTo(ContainElement("route.f1." + metric.Wildcard))
	})

	It("treats an undeclared metric as the score of a custom scorer: a proportion", func() {
		n := metric.FindOrCustom("politeness.polite")
		Expect(n.Unit).To(Equal(metric.Share))
		Expect(n.Kind).To(Equal(metric.Proportion))
		Expect(n.Missing).To(Equal(metric.Bounded))
	})

	DescribeTable("28.8: maps an old name to the present metric", func(old, key string) {
		got, ok := metric.Renamed(old)
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

	It("28.8: returns false for a name that was never used", func() {
		for _, key := range []string{"route.accuracy", "tokens.in_mean", "tokens.inner", "cost.usd_per_1000",
			"fault.strucked"} {
			_, ok := metric.Renamed(key)
			Expect(ok).To(BeFalse(), key)
		}
	})

	It("is a copy: changing it changes nothing elsewhere", func() {
		metric.Shipped()[0].Label = "changed"
		Expect(metric.Shipped()[0].Label).NotTo(Equal("changed"))
	})
})
