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
			Components: []system.Component{{Name: "referee", Role: system.RoleCritic},
				{Name: "reader", Role: system.RoleRouter}}},
		HasOOSLabel: true, HasEpochs: true,
		Conditions: []gate.Condition{{Suite: "scholar", Variant: "fast"}},
	}
	desk := gate.SuiteScope{
		System: system.System{Name: "desk",
			Contract: system.Contract{Labels: []string{"draft", "END"}, DecisionPathField: "path",
				ExtraLabelFields: []string{"back"}, RetrievalField: "days", RequireAllIDs: true, FactsField: "facts",
				MemoryField: "remembers", AttributeFields: []string{"strategy"}},
			Components: []system.Component{{Name: "writer", Role: system.RoleStructured},
				{Name: "grader", Role: system.RoleGrader}, {Name: "cache", Role: system.RoleStore}}},
		Conditions: []gate.Condition{{Suite: "desk", Variant: "complete"}},
	}
	suites := []gate.SuiteScope{router, scholar, desk}
	means := map[string][]any{"scholar": {"critic.loops_mean", "critic.gain_per_loop", "critic.raw_gain_per_loop"},
		"desk": {"supervisor.steps_mean", "facts.grader_kappa", "cache.calls_saved", "compression.ratio"}}

	DescribeTable("accepts a rule whose names exist in the run",
		func(rule string) { Expect(gate.Validate([]gate.Rule{mustParse(rule)}, suites)).To(Succeed()) },
		Entry("a rule without a selector", "route.accuracy > 1"),
		Entry("a selector for a suite", "route.accuracy{suite=scholar} > 1"),
		Entry("a selector for a variant of any suite", "route.accuracy{variant=fast} > 1"),
		Entry("a selector for conditions without a fault", "route.accuracy{fault=none} > 1"),
		Entry("a selector for suite, variant and fault",
			"route.accuracy{suite=toolrouter,variant=llm,fault=llm:timeout} > 1"),
		Entry("a tag of the cases", "[tag=zh] route.accuracy{suite=toolrouter} > 1"),
		Entry("any tag, if the tags of the suite are unknown", "[tag=fr] route.accuracy{suite=scholar} > 1"),
		Entry("a metric of a label", "route.f1.image_gen > 1"),
		Entry("a metric of any label, if the labels come from the dataset", "route.f1.physics{suite=scholar} > 1"),
		Entry("a metric of a node", "node.anything.p95 < 3s"),
		Entry("a metric of a slot", "slots.year > 1"),
		Entry("a metric of the critic", "critic.false_accept < 1"),
		Entry("15.23: the cost of 1,000 cases", "cost.usd_per_1000 < 5"),
		Entry("15.23: tokens per trial", "tokens.in_mean < 5000"),
		Entry("15.23: the ratio of tokens per trial", "ratio(tokens.out_mean) <= 1.1"),
		Entry("15.20: the gain of a Critic loop", "critic.good_gain > 0pp"),
		Entry("a metric of retrieval", "retrieval.hit_rate > 1"),
		Entry("a metric of the confidence", "confidence.auroc >= 0.8 at 95%"),
		Entry("out-of-scope recall", "oos.recall > 1"),
		Entry("accuracy of the first accepted label", "route.primary > 1"),
		Entry("accuracy of a label that cases have besides the decision", "back.accuracy > 1"),
		Entry("exact sequences of decisions", "path.exact >= 0.9 at 95%"),
		Entry("exact sequences of decisions, compared with a baseline run", "drop(path.exact) <= 1pp"),
		Entry("conformity of all answers to their format", "form.conformity > 1"),
		Entry("conformity of the answers of one component to their format", "form.conformity.writer > 1"),
		Entry("retrieval recall at 5", "retrieval.recall_at_5 > 0.8"),
		Entry("retrieval recall at 10", "retrieval.recall_at_10 > 0.8"),
		Entry("mean reciprocal rank", "retrieval.mrr > 0.8"),
		Entry("an attribute of the answer", "strategy.accuracy > 0.9"),
		Entry("facts that the answer states", "facts.coverage > 0.8"),
		Entry("facts as graded by a model", "facts.graded > 0.8"),
		Entry("agreement of the grading model with the word comparison", "facts.grader_agreement > 0.9"),
		Entry("kappa of the grading model", "facts.grader_kappa > 0.6"),
		Entry("cost of the grading model", "facts.grader.cost < 2"),
		Entry("facts that remain in a compressed session", "compression.facts_kept > 0.9"),
		Entry("cache hit rate", "cache.hit_rate > 50%"),
		Entry("peak number of concurrent calls", "calls.peak <= 10"),
		Entry("latency of batched replies", "latency.batch.p95 < 8000"),
		Entry("messages per batch", "batch.messages_mean < 4"),
		Entry("rate of corrected decisions", "supervisor.correction_rate < 5%"),
		Entry("rate of corrected decisions by reason", "supervisor.correction_rate.needs_brief < 5%"),
		Entry("rate of repeated calls by reason", "supervisor.called_again_rate.end_rejected < 5%"),
		Entry("rate of turns that end at the step limit", "supervisor.exhausted_rate < 1%"),
		Entry("decisions per turn with several decisions", "supervisor.steps_mean < 9"),
		Entry("a comparison with the baseline run", "ratio(latency.p95) <= 1.1"),
		Entry("new failures", "new_failures <= 0"),
		Entry("pass^k with several epochs", "route.pass_k > 1"),
		Entry("consistency of several epochs", "route.consistency > 1"),
	)

	It("restricts a limit by the unit of its metric, but not for mean counts", func() {
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

	DescribeTable("returns an error that lists the known names",
		func(rule, problem string) {
			err := gate.Validate([]gate.Rule{mustParse(rule)}, suites)
			Expect(err).To(MatchError(HaveSuffix(": " + problem)))
		},
		Entry("an unknown suite", "route.accuracy{suite=toolruter} > 1",
			`unknown suite "toolruter"; known: desk, scholar, toolrouter`),
		Entry("an unknown variant", "route.accuracy{variant=gpt} > 1",
			`unknown variant "gpt"; known: complete, fast, llm, rules`),
		Entry("a variant that the selected suite does not have", "route.accuracy{suite=scholar,variant=llm} > 1",
			`unknown variant "llm" in {suite=scholar}; known: fast`),
		Entry("an unknown fault", "route.accuracy{fault=llm:reset} > 1",
			`unknown fault "llm:reset"; known: llm:timeout, none`),
		Entry("a fault that the selected variant does not have",
			"route.accuracy{suite=toolrouter,variant=rules,fault=llm:timeout} > 1",
			`unknown fault "llm:timeout" in {suite=toolrouter,variant=rules}; known: none`),
		Entry("an unknown tag", "[tag=cn] route.accuracy{suite=toolrouter} > 1",
			`unknown tag "cn", did you mean "en"?`),
		Entry("an unknown metric", "route.acuracy > 1",
			`unknown metric "route.acuracy", did you mean "route.accuracy"?`),
		Entry("a metric of the critic in a suite without a critic", "critic.pass_rate{suite=toolrouter} > 1",
			`unknown metric "critic.pass_rate"; there are the families: answered_by, backoff, batch, cached, calls, citations, cost, episode, error_reply, errors, events, fallback, genui, latency, missing, node, queue, route, router, step, tokens, ttft, unscored`),
		Entry("a metric of an unknown label", "route.f1.picture{suite=toolrouter} > 1",
			`unknown metric "route.f1.picture"; of this family there are: route.accuracy, route.f1.chat, route.f1.image_gen, route.macro_f1, `+
				`route.precision.chat, route.precision.image_gen, route.primary, route.recall.chat, route.recall.image_gen`),
		Entry("pass^k in a suite with one epoch", "route.pass_k{suite=toolrouter} > 1",
			"route.pass_k requires two epochs or more"),
		Entry("consistency in a suite with one epoch", "route.consistency{suite=toolrouter} > 1",
			"route.consistency requires two epochs or more"),
		Entry("an unknown percentile of a node", "node.router.p94 < 3s",
			`unknown metric "node.router.p94"; of this family there are: node.NAME.calls, node.NAME.mean, `+
				`node.NAME.p50, node.NAME.p90, node.NAME.p95, node.NAME.p99`),
	)

	DescribeTable("returns an error with the position of the unknown name",
		func(rule, canonical string, column int) {
			err := gate.Validate([]gate.Rule{mustParse(rule)}, suites)
			Expect(err).To(MatchError(HavePrefix(fmt.Sprintf("%q, column %d: ", canonical, column))))
		},
		Entry("an unknown fault", "route.accuracy{fault=oops,suite=scholar} > 1",
			"route.accuracy{suite=scholar,fault=oops} > 1", 36),
		Entry("an unknown tag", "[tag=cn] route.accuracy{suite=toolrouter} > 1",
			"[tag=cn] route.accuracy{suite=toolrouter} > 1", 6),
		Entry("an unknown slot in a metric", "drop(slots.yaer{suite=scholar}) <= 1pp",
			"drop(slots.yaer{suite=scholar}) <= 1pp", 6),
	)

	It("returns the errors of all invalid rules, and lists no names if the run has no conditions", func() {
		rules := []gate.Rule{mustParse("x.y{suite=one} > 1"), mustParse("route.accuracy > 1"),
			mustParse("x.y{fault=two} > 1")}
		err := gate.Validate(rules, suites)
		Expect(err).To(MatchError(And(ContainSubstring(`"one"`), ContainSubstring(`"two"`))))
		Expect(gate.Validate(rules[:1], nil)).To(MatchError(ContainSubstring("known: none")))
	})
})
