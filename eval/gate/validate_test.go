package gate_test

import (
	"fmt"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/system"
	"evalctl/eval/gate"
)

var _ = Describe("Validate", func() {
	router := gate.SuiteScope{
		System: system.System{Name: "router", Contract: system.Contract{Labels: []string{"image_gen", "chat"}},
			DecisionSources: []string{"llm"}},
		Tags: []string{"en", "zh"},
		Conditions: []gate.Condition{
			{Suite: "toolrouter", Variant: "llm"},
			{Suite: "toolrouter", Variant: "llm", Fault: "llm:timeout"},
			{Suite: "toolrouter", Variant: "rules", Fault: "none"},
		},
	}
	scholar := gate.SuiteScope{
		System: system.System{Name: "scholar",
			Contract: system.Contract{Slots: []string{"year"}, RetrievalField: "papers"},
			Parts: []system.Component{{Name: "referee", Role: system.RoleCritic},
				{Name: "reader", Role: system.RoleRouter}}},
		OOSLabel: true, HasEpochs: true,
		Conditions: []gate.Condition{{Suite: "scholar", Variant: "fast"}},
	}
	desk := gate.SuiteScope{
		System: system.System{Name: "desk",
			Contract: system.Contract{Labels: []string{"draft", "END"}, PathField: "path",
				ExtraLabels: []string{"back"}, RetrievalField: "days", RequireAll: true, FactsField: "facts",
				MemoryField: "remembers", AttributeFields: []string{"strategy"}},
			Parts: []system.Component{{Name: "writer", Role: system.RoleStructured},
				{Name: "grader", Role: system.RoleGrader}, {Name: "cache", Role: system.RoleStore}}},
		Conditions: []gate.Condition{{Suite: "desk", Variant: "complete"}},
	}
	suites := []gate.SuiteScope{router, scholar, desk}
	means := map[string][]any{"scholar": {"critic.loops_mean", "critic.gain_per_loop", "critic.raw_gain_per_loop"},
		"desk": {"supervisor.steps_mean", "facts.grader_kappa", "cache.calls_saved", "compression.ratio"}}

	DescribeTable("accepts what the run has",
		func(rule string) { Expect(gate.Validate([]gate.Rule{mustParse(rule)}, suites)).To(Succeed()) },
		Entry("no selector", "route.accuracy > 1"),
		Entry("a suite", "route.accuracy{suite=scholar} > 1"),
		Entry("a variant of any suite", "route.accuracy{variant=fast} > 1"),
		Entry("no fault", "route.accuracy{fault=none} > 1"),
		Entry("all three", "route.accuracy{suite=toolrouter,variant=llm,fault=llm:timeout} > 1"),
		Entry("a tag", "[tag=zh] route.accuracy{suite=toolrouter} > 1"),
		Entry("any tag if they are unknown", "[tag=fr] route.accuracy{suite=scholar} > 1"),
		Entry("a label", "route.f1.image_gen > 1"),
		Entry("any label of the dataset", "route.f1.physics{suite=scholar} > 1"),
		Entry("a node", "node.anything.p95 < 3s"),
		Entry("a slot", "slots.year > 1"),
		Entry("a critic metric", "critic.false_accept < 1"),
		Entry("15.23: the cost of 1,000 cases", "cost.usd_per_1000 < 5"),
		Entry("15.23: tokens per trial", "tokens.in_mean < 5000"),
		Entry("15.23: their ratio", "ratio(tokens.out_mean) <= 1.1"),
		Entry("15.20: the gain of a Critic loop", "critic.good_gain > 0pp"),
		Entry("retrieval", "retrieval.hit_rate > 1"),
		Entry("confidence", "confidence.auroc >= 0.8 at 95%"),
		Entry("out-of-scope recall", "oos.recall > 1"),
		Entry("the first of several labels", "route.primary > 1"),
		Entry("an additional label", "back.accuracy > 1"),
		Entry("a path", "path.exact >= 0.9 at 95%"),
		Entry("a path with a baseline", "drop(path.exact) <= 1pp"),
		Entry("valid form", "form.conformity > 1"),
		Entry("valid form of a node", "form.conformity.writer > 1"),
		Entry("recall at 5", "retrieval.recall_at_5 > 0.8"), Entry("recall at 10", "retrieval.recall_at_10 > 0.8"),
		Entry("MRR", "retrieval.mrr > 0.8"),
		Entry("an attribute of the answer", "strategy.accuracy > 0.9"),
		Entry("stated facts", "facts.coverage > 0.8"), Entry("graded facts", "facts.graded > 0.8"),
		Entry("grader agreement", "facts.grader_agreement > 0.9"),
		Entry("grader kappa", "facts.grader_kappa > 0.6"), Entry("grading cost", "facts.grader.cost < 2"),
		Entry("facts retained in a session", "compression.facts_kept > 0.9"),
		Entry("cache hit rate", "cache.hit_rate > 50%"),
		Entry("concurrent calls", "calls.peak <= 10"),
		Entry("latency of batched replies", "latency.batch.p95 < 8000"),
		Entry("messages per batch", "batch.messages_mean < 4"),
		Entry("correction rate", "supervisor.correction_rate < 5%"),
		Entry("correction rate by reason", "supervisor.correction_rate.needs_brief < 5%"),
		Entry("repeated calls by reason", "supervisor.called_again_rate.end_rejected < 5%"),
		Entry("exhausted episodes", "supervisor.exhausted_rate < 1%"),
		Entry("steps per episode", "supervisor.steps_mean < 9"),
		Entry("a comparison", "ratio(latency.p95) <= 1.1"),
		Entry("new failures", "new_failures <= 0"),
		Entry("pass^k", "route.pass_k > 1"), Entry("consistency", "route.consistency > 1"),
	)

	It("restricts the limit of every metric except a mean count", func() {
		for _, s := range suites {
			var plain []string
			for _, metric := range s.Metrics() {
				if gate.IsPlain(metric) {
					plain = append(plain, metric)
				}
			}
			Expect(plain).To(ConsistOf(append([]any{"calls.mean", "calls.peak_mean", "batch.messages_mean"},
				means[s.System.Name]...)...), s.System.Name)
		}
	})

	It("accepts any metric of an unknown system", func() {
		Expect(gate.Validate([]gate.Rule{mustParse("x.y > 1")}, []gate.SuiteScope{{Conditions: router.Conditions}})).
			To(Succeed())
	})

	DescribeTable("lists the known names",
		func(rule, problem string) {
			err := gate.Validate([]gate.Rule{mustParse(rule)}, suites)
			Expect(err).To(MatchError(HaveSuffix(": " + problem)))
		},
		Entry("of suites", "route.accuracy{suite=toolruter} > 1",
			`unknown suite "toolruter"; known: desk, scholar, toolrouter`),
		Entry("of variants", "route.accuracy{variant=gpt} > 1",
			`unknown variant "gpt"; known: complete, fast, llm, rules`),
		Entry("of a suite's variants", "route.accuracy{suite=scholar,variant=llm} > 1",
			`unknown variant "llm" in {suite=scholar}; known: fast`),
		Entry("of faults", "route.accuracy{fault=llm:reset} > 1",
			`unknown fault "llm:reset"; known: llm:timeout, none`),
		Entry("of a condition's faults", "route.accuracy{suite=toolrouter,variant=rules,fault=llm:timeout} > 1",
			`unknown fault "llm:timeout" in {suite=toolrouter,variant=rules}; known: none`),
		Entry("of tags", "[tag=cn] route.accuracy{suite=toolrouter} > 1", `unknown tag "cn", did you mean "en"?`),
		Entry("of metrics", "route.acuracy > 1", `unknown metric "route.acuracy", did you mean "route.accuracy"?`),
		Entry("of metrics, for a critic metric without a critic", "critic.pass_rate{suite=toolrouter} > 1",
			`unknown metric "critic.pass_rate"; there are the families: answered_by, backoff, batch, cached, calls, cost, episode, error_reply, errors, events, fallback, genui, latency, missing, node, queue, route, router, step, tokens, ttft, unscored`),
		Entry("of metrics, for an unknown label", "route.f1.picture{suite=toolrouter} > 1",
			`unknown metric "route.f1.picture"; of this family there are: route.accuracy, route.f1.chat, route.f1.image_gen, route.macro_f1, `+
				`route.precision.chat, route.precision.image_gen, route.primary, route.recall.chat, route.recall.image_gen`),
		Entry("of epochs, for pass^k with one epoch", "route.pass_k{suite=toolrouter} > 1",
			"route.pass_k requires two epochs or more"),
		Entry("of epochs, for consistency with one epoch", "route.consistency{suite=toolrouter} > 1",
			"route.consistency requires two epochs or more"),
		Entry("of metrics, for an unknown percentile", "node.router.p94 < 3s",
			`unknown metric "node.router.p94"; of this family there are: node.NAME.calls, node.NAME.mean, `+
				`node.NAME.p50, node.NAME.p90, node.NAME.p95, node.NAME.p99`),
	)

	DescribeTable("reports the position of the name",
		func(rule, canonical string, column int) {
			err := gate.Validate([]gate.Rule{mustParse(rule)}, suites)
			Expect(err).To(MatchError(HavePrefix(fmt.Sprintf("%q, column %d: ", canonical, column))))
		},
		Entry("of a fault", "route.accuracy{fault=oops,suite=scholar} > 1",
			"route.accuracy{suite=scholar,fault=oops} > 1", 36),
		Entry("of a tag", "[tag=cn] route.accuracy{suite=toolrouter} > 1",
			"[tag=cn] route.accuracy{suite=toolrouter} > 1", 6),
		Entry("of a metric", "drop(slots.yaer{suite=scholar}) <= 1pp", "drop(slots.yaer{suite=scholar}) <= 1pp", 6),
	)

	It("reports every invalid rule, and no known names without conditions", func() {
		rules := []gate.Rule{mustParse("x.y{suite=one} > 1"), mustParse("route.accuracy > 1"),
			mustParse("x.y{fault=two} > 1")}
		err := gate.Validate(rules, suites)
		Expect(err).To(MatchError(And(ContainSubstring(`"one"`), ContainSubstring(`"two"`))))
		Expect(gate.Validate(rules[:1], nil)).To(MatchError(ContainSubstring("known: none")))
	})
})
