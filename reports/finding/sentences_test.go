package finding_test

import (
	"slices"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/eval"
	"evalctl/eval/compare"
	"evalctl/reports/finding"
)

var _ = DescribeTable("The sentence on the most accurate variant", checkSentence,
	Entry("one variant without wrong decisions", finding.KindMostAccurate, "a is right in all 60 cases.",
		func(s *suite) {
			s.Conditions, s.Cases = s.Conditions[:1], 60
			set(s, 0, metrics{"route.accuracy": of(60, 60)})
		}),
	Entry("one variant with wrong decisions", finding.KindMostAccurate,
		"a is wrong in 30 of 100 cases.", func(s *suite) { s.Conditions = s.Conditions[:1] }),
	Entry("one variant with more decisions than cases", finding.KindMostAccurate,
		"a is wrong in 30 of 100 decisions.", func(s *suite) { s.Conditions, s.Cases = s.Conditions[:1], 60 }),
	Entry("one variant with several epochs", finding.KindMostAccurate,
		"a is wrong in 30 of 100 trials.", func(s *suite) { s.Conditions, s.Epochs = s.Conditions[:1], 3 }),
	Entry("identical decisions", finding.KindMostAccurate,
		"b and c make identical decisions in all 100 cases, accuracy 81.0 % of 100.",
		func(s *suite) { identical(s) }),
	Entry("identical decisions, compared with another variant", finding.KindMostAccurate,
		"b and c make identical decisions in all 100 cases, accuracy 81.0 % of 100; a breaks 4 of these and fixes "+
			"7 (−11.0 points [−17.0, −5.0]).",
		func(s *suite) { identical(s, versus("a", "b", eval.Worse, -0.11, -0.17, -0.05)) }),
	Entry("identical decisions, compared with several others", finding.KindMostAccurate,
		"b and c make identical decisions in all 100 cases, accuracy 81.0 % of 100; d and a break 4 of these and "+
			"fix 7 (−6.0 points [−10.0, −1.0]).",
		func(s *suite) {
			identical(s, versus("a", "b", eval.Worse, -0.11, -0.17, -0.05),
				versus("d", "b", eval.Worse, -0.06, -0.1, -0.01))
			s.Conditions = append(s.Conditions, condition("d", eval.NoFault, 75, 100))
		}),
	Entry("identical decisions in several epochs", finding.KindMostAccurate,
		"b and c make identical decisions in all 100 cases, accuracy 81.0 % of 100; a is right less often in 4 of "+
			"these and more often in 7 (−11.0 points [−17.0, −5.0]).",
		func(s *suite) {
			identical(s, versus("a", "b", eval.Worse, -0.11, -0.17, -0.05))
			s.Epochs = 3
		}),
	Entry("identical decisions, another variant not significantly different", finding.KindMostAccurate,
		"b and c make identical decisions in all 100 cases, accuracy 81.0 % of 100; a is not significantly "+
			"different (−11.0 points [−17.0, +1.0])."+canDetect,
		func(s *suite) { identical(s, versus("a", "b", eval.NotSignificant, -0.11, -0.17, 0.01)) }),
	Entry("equal accuracy", finding.KindMostAccurate,
		"c and b have equal accuracy: 81.0 % of 100; they differ in 11 cases."+canDetect,
		func(s *suite) { compareVariants(s, cEqualB) }),
	Entry("equal accuracy of several variants", finding.KindMostAccurate,
		"c, b and 1 more have equal accuracy: 81.0 % of 100; c and b differ in 11 cases."+canDetect,
		func(s *suite) { compareVariants(s, cEqualB, versus("c", "a", eval.NotSignificant, 0, -0.03, 0.03)) }),
	Entry("equal accuracy over the common cases, and a significant difference", finding.KindMostAccurate,
		"c and b have equal accuracy over the 100 cases that both score; they differ in 11 cases."+canDetect+
			" c is 11.0 points above a [5.0, 17.0] (7 cases fixed, 4 broken).",
		func(s *suite) {
			compareVariants(s, cEqualB, cAboveA)
			s.Differences[0].Unpaired = 3
		}),
	Entry("equal accuracy, and a difference that is not significant", finding.KindMostAccurate,
		"c and b have equal accuracy: 81.0 % of 100; they differ in 11 cases. c is not significantly above a "+
			"(+11.0 points)."+canDetect,
		func(s *suite) { compareVariants(s, cEqualB, versus("c", "a", eval.NotSignificant, 0.11, 0.05, 0.17)) }),
	Entry("significantly above the baseline variant and the runner-up", finding.KindMostAccurate,
		"c has the highest accuracy: 81.0 % of 100, 11.0 points above a [5.0, 17.0] (7 cases fixed, 4 broken), "+
			"1.0 above b [0.4, 2.0].",
		func(s *suite) {
			compareVariants(s, cAboveA, versus("b", "c", eval.Worse, -0.01, -0.02, -0.004),
				versus("c", "d", eval.Better, 0.06, 0.01, 0.11))
			s.Conditions = append(s.Conditions, condition("d", eval.NoFault, 75, 100))
		}),
	Entry("several epochs", finding.KindMostAccurate,
		"c has the highest accuracy: 81.0 % of 100, 11.0 points above a [5.0, 17.0] (7 cases right more often, 4 "+
			"less often).",
		func(s *suite) {
			compareVariants(s, cAboveA)
			s.Epochs = 3
		}),
	Entry("not significantly above the runner-up", finding.KindMostAccurate,
		"c has the highest accuracy: 81.0 % of 100, 11.0 points above a [5.0, 17.0] (7 cases fixed, 4 broken), "+
			"not significantly above b (+1.0 points [−2.0, +4.0])."+canDetect,
		func(s *suite) { compareVariants(s, cAboveA, versus("c", "b", eval.NotSignificant, 0.01, -0.02, 0.04)) }),
	Entry("significantly above the runner-up, but not above the baseline variant", finding.KindMostAccurate,
		"c has the highest accuracy: 81.0 % of 100, 1.0 points above b [0.1, 4.0], not significantly above a "+
			"(+11.0 points [−5.0, +17.0])."+canDetect,
		func(s *suite) {
			compareVariants(s, versus("c", "a", eval.NotSignificant, 0.11, -0.05, 0.17),
				versus("c", "b", eval.Better, 0.01, 0.001, 0.04))
		}),
	Entry("not significant only because of the correction for several comparisons", finding.KindMostAccurate,
		"c has the highest accuracy: 81.0 % of 100, not significantly above b (+5.0 points), corrected for 12 "+
			"comparisons."+canDetect,
		func(s *suite) {
			compareVariants(s, versus("c", "b", eval.NotSignificant, 0.05, 0.01, 0.09))
			s.Differences[0].FamilySize = 12
		}),
	Entry("a minimum detectable difference for one case in several epochs", finding.KindMostAccurate,
		"c has the highest accuracy: 81.0 % of 100, not significantly above b (+1.0 points [−2.0, +4.0]). "+
			"The case that both score can detect 8.2 points with 80 % power "+
			"(12.0 points if a case that changes does so in every epoch).",
		func(s *suite) {
			compareVariants(s, versus("c", "b", eval.NotSignificant, 0.01, -0.02, 0.04))
			s.Differences[0].Cases, s.Differences[0].MinDetectableDifferenceAllEpochs = 1, new(0.12)
		}),
	Entry("most trials of the best variant unscored", finding.KindMostAccurate,
		"b has the highest accuracy: 80.0 % of 100, 10.0 points above a [4.0, 16.0] (7 cases fixed, 4 broken).",
		func(s *suite) {
			compareVariants(s, versus("b", "a", eval.Better, 0.1, 0.04, 0.16),
				versus("c", "a", eval.Better, 0.3, 0.1, 0.4))
			set(s, 2, metrics{"route.accuracy": unscored(9, 91)})
		}),
	Entry("cases selected because they failed", finding.KindMostAccurate, "",
		func(s *suite) {
			compareVariants(s, cAboveA)
			s.FailedInRun = "runs/first"
		}),
	Entry("no comparison", finding.KindMostAccurate, "", func(s *suite) {}),
	Entry("too few data for a comparison", finding.KindMostAccurate,
		"", func(s *suite) { compareVariants(s, versus("c", "b", eval.InsufficientData, 0.01, 0, 0.02)) }),
	Entry("one of two variants scored", finding.KindMostAccurate, "",
		func(s *suite) {
			s.Conditions = s.Conditions[1:]
			set(s, 0, metrics{"route.accuracy": {Missing: 100}})
		}),
)

var _ = DescribeTable("The sentence on the baseline model", checkSentence,
	Entry("the baseline model is best", finding.KindBaselineModel,
		"linear, a baseline model, has the highest accuracy: 90.0 % of 100, 20.0 points above a [10.0, 30.0] (7 "+
			"cases fixed, 4 broken), not significantly above c (+9.0 points [−1.0, +20.0])."+canDetect,
		func(s *suite) {
			baselineModel(s, 90, versus("linear", "a", eval.Better, 0.2, 0.1, 0.3),
				versus("linear", "b", eval.Better, 0.1, 0.02, 0.2),
				versus("linear", "c", eval.NotSignificant, 0.09, -0.01, 0.2))
		}),
	Entry("a variant is below it", finding.KindBaselineModel,
		"a is 5.0 points below the baseline model linear (75.0 % of 100) [−10.0, +1.0], "+
			"which is not significant."+canDetect,
		func(s *suite) {
			baselineModel(s, 75, versus("linear", "a", eval.NotSignificant, 0.05, -0.01, 0.1),
				versus("b", "linear", eval.Better, 0.05, 0.01, 0.1),
				versus("c", "linear", eval.Better, 0.06, 0.01, 0.1))
		}),
	Entry("a variant is above it, significantly but for the correction", finding.KindBaselineModel,
		"a is 5.0 points above the baseline model linear (75.0 % of 100), which is not significant, corrected for "+
			"4 comparisons."+canDetect,
		func(s *suite) {
			baselineModel(s, 75, versus("a", "linear", eval.NotSignificant, 0.05, 0.01, 0.1))
			s.Differences[0].FamilySize = 4
		}),
	Entry("a variant is significantly worse", finding.KindBaselineModel,
		"a is significantly worse than the baseline model linear (75.0 % of 100): −5.0 points [−10.0, −1.0].",
		func(s *suite) { baselineModel(s, 75, versus("linear", "a", eval.Better, 0.05, 0.01, 0.1)) }),
	Entry("a variant is significantly worse, with an interval that contradicts this", finding.KindBaselineModel,
		"a is significantly worse than the baseline model linear (75.0 % of 100): −5.0 points.",
		func(s *suite) { baselineModel(s, 75, versus("a", "linear", eval.Worse, -0.05, -0.1, 0)) }),
	Entry("few cases", finding.KindBaselineModel,
		"5 cases are too few to compare a with the baseline model linear (75.0 % of 100). The 5 cases that both score can "+
			"detect 95.0 points with 80 % power.",
		func(s *suite) {
			baselineModel(s, 75, versus("a", "linear", eval.NotSignificant, 0.6, -0.04, 0.9))
			s.Differences[0].Cases, s.Differences[0].MinDetectableDifference = 5, new(0.95)
		}),
	Entry("several variants, some significantly worse", finding.KindBaselineModel,
		"c and b are not significantly better than the baseline model linear (80.0 % of 100); the best of them, "+
			"c: +1.0 points [−5.0, +6.0]."+canDetect+
			" a and 3 more are significantly worse than that baseline model; the best of them, a: −10.0 points "+
			"[−20.0, −5.0].",
		func(s *suite) {
			baselineModel(s, 80, versus("a", "linear", eval.Worse, -0.1, -0.2, -0.05),
				versus("b", "linear", eval.Identical, 0, 0, 0),
				versus("c", "linear", eval.NotSignificant, 0.01, -0.05, 0.06))
			for _, name := range []string{"d", "e", "f"} {
				s.Conditions = append(s.Conditions, condition(name, eval.NoFault, 60, 100))
				compareVariants(s, versus(name, "linear", eval.Worse, -0.2, -0.3, -0.1))
			}
		}),
	Entry("all variants significantly better or without data", finding.KindBaselineModel, "",
		func(s *suite) {
			baselineModel(s, 60, versus("a", "linear", eval.Better, 0.1, 0.02, 0.2),
				versus("b", "linear", eval.InsufficientData, 0, 0, 0))
		}),
	Entry("cases selected because they failed", finding.KindBaselineModel, "",
		func(s *suite) {
			baselineModel(s, 60, versus("a", "linear", eval.NotSignificant, 0.1, -0.02, 0.2))
			s.FailedInRun = "runs/first"
		}),
	Entry("no baseline model", finding.KindBaselineModel,
		"", func(s *suite) { compareVariants(s, versus("c", "a", eval.NotSignificant, 0.11, -0.05, 0.17)) }),
)

var _ = DescribeTable("15.27: the sentence on tags", checkSentence,
	Entry("a significant difference in a tag, but not overall", finding.KindTagDifference,
		"b compared with a: no significant difference overall; lang:zh is worse by 13.0 points [−22.4, −3.1].",
		func(s *suite) {
			compareVariants(s,
				inTag(versus("b", "a", eval.NotSignificant, -0.01, -0.03, 0.02), "lang:zh", eval.Worse, -0.13,
					-0.224, -0.031),
				versus("c", "a", eval.NotSignificant, 0.01, -0.02, 0.04))
		}),
	Entry("the variants in the opposite order", finding.KindTagDifference,
		"b compared with a: no significant difference overall; lang:zh is worse by 13.0 points [−22.4, −3.1].",
		func(s *suite) {
			compareVariants(s,
				inTag(versus("a", "b", eval.NotSignificant, 0.01, -0.02, 0.03), "lang:zh", eval.Better, 0.13, 0.031,
					0.224))
		}),
	Entry("more tags and variants", finding.KindTagDifference,
		"b compared with a: no significant difference overall; t1 is better by 20.0 points [+10.0, +30.0], t2 is "+
			"better by 20.0 points [+10.0, +30.0], t3 is better by 20.0 points [+10.0, +30.0] and 1 more tag. c "+
			"compared with a: no significant difference overall; lang:zh is worse by 13.0 points [−22.4, −3.1].",
		func(s *suite) {
			d := versus("b", "a", eval.NotSignificant, -0.01, -0.03, 0.02)
			for _, name := range []string{"t1", "t2", "t3", "t4"} {
				d = inTag(d, name, eval.Better, 0.2, 0.1, 0.3)
			}
			compareVariants(s, d,
				inTag(versus("c", "a", eval.NotSignificant, -0.01, -0.03, 0.02), "lang:zh", eval.Worse, -0.13,
					-0.224, -0.031))
		}),
	Entry("no significant difference in any tag", finding.KindTagDifference,
		"", func(s *suite) { compareVariants(s, versus("b", "a", eval.NotSignificant, -0.01, -0.03, 0.02)) }),
)

var _ = DescribeTable("The sentence on unscored trials", checkSentence,
	Entry("more than 5 % unscored", finding.KindUnscored, "b: 6 of 100 cases not scored (timeout 6).",
		func(s *suite) { set(s, 1, metrics{"route.accuracy": unscored(94, 6), "errors.timeout": mean(6, 100)}) }),
	Entry("5 % unscored", finding.KindUnscored,
		"", func(s *suite) { set(s, 1, metrics{"route.accuracy": unscored(95, 5)}) }),
	Entry("most unscored, and another condition", finding.KindUnscored,
		"c: 94 of 100 cases not scored; its accuracy covers only 6; also more than 5 % in 1 other condition.",
		func(s *suite) {
			set(s, 1, metrics{"route.accuracy": unscored(94, 6)})
			set(s, 2, metrics{"route.accuracy": unscored(6, 94)})
		}),
	Entry("a variant without any scored trial before a fault without any", finding.KindUnscored,
		"c: all 100 cases not scored; also more than 5 % in 1 other condition.",
		func(s *suite) {
			s.Conditions = slices.Insert(s.Conditions, 1, condition("a", "router:timeout", 1, 100))
			set(s, 1, metrics{"route.accuracy": unscored(0, 100)})
			set(s, 3, metrics{"route.accuracy": unscored(0, 100)})
		}),
	Entry("several epochs", finding.KindUnscored, "b: 60 of 100 trials not scored; its accuracy covers only 40.",
		func(s *suite) {
			set(s, 1, metrics{"route.accuracy": unscored(40, 60)})
			s.Epochs = 2
		}),
	Entry("only under faults", finding.KindUnscored, "a with f1 and f2: 10 of 100 cases not scored.",
		func(s *suite) {
			for _, f := range []string{"f1", "f2"} {
				fault(s, f, eval.FaultOutcome{}, metrics{"route.accuracy": unscored(90, 10)})
			}
		}),
	Entry("under more than three faults", finding.KindUnscored,
		"a with f1 and 3 more faults: 10 of 100 cases not scored.",
		func(s *suite) {
			for _, f := range []string{"f1", "f2", "f3", "f4"} {
				fault(s, f, eval.FaultOutcome{}, metrics{"route.accuracy": unscored(90, 10)})
			}
		}),
	Entry("a suite that scores no decisions", finding.KindUnscored, "a: 30 of 100 cases unanswered.",
		func(s *suite) {
			s.Conditions = s.Conditions[:1]
			s.Conditions[0].Metrics = metrics{"missing.rate": of(30, 100)}
		}),
)

var _ = DescribeTable("The sentences on calls and answers", checkSentence,
	Entry("event streams and components that are invalid", finding.KindContractViolation,
		"Events are out of order in 2 of 100 cases of b; also in 1 other condition.",
		func(s *suite) {
			set(s, 1, metrics{"events.in_order": of(98, 100)})
			set(s, 2, metrics{"genui.conform": of(99, 100)})
		}),
	Entry("components that are invalid under a fault", finding.KindContractViolation,
		"GenUI components are invalid in 2 of 100 cases of a with f.",
		func(s *suite) { fault(s, "f", eval.FaultOutcome{}, metrics{"genui.conform": of(98, 100)}) }),
	Entry("cached calls", finding.KindCachedAnswers,
		"40 of 150 calls were answered from the response cache; their turns have no latency.",
		func(s *suite) { set(s, 0, metrics{"cached.rate": of(40, 100), "calls.mean": mean(1.5, 100)}) }),
	Entry("no cached calls", finding.KindCachedAnswers,
		"", func(s *suite) { set(s, 0, metrics{"cached.rate": of(0, 100), "calls.mean": mean(1.5, 100)}) }),
	Entry("15.24: invalid answers", finding.KindAnswersInvalid,
		"In a, the rules made 39 of 40 decisions: 39 model answers were invalid.",
		func(s *suite) {
			called(s, 0, 1,
				counts{"decided_instead.rules": 39, "answer_unused.malformed_json": 30,
					"answer_unused.wrong_schema": 9})
		}),
	Entry("15.24: several reasons, deciders and variants", finding.KindAnswersInvalid,
		"In b, the rules (15) and a hard constraint (5) made 20 of 40 decisions: 12 model answers were refusals, "+
			"6 were not received, 2 were overruled; also 4 of 40 in a.",
		func(s *suite) {
			called(s, 0, 36, counts{"decided_instead.nobody": 4, "answer_unused.unknown_label": 4})
			called(s, 1, 20,
				counts{"decided_instead.rules": 15, "decided_instead.guard": 5, "answer_unused.model_refusal": 12,
					"answer_unused.timeout": 6, "answer_unused.overruled": 2})
		}),
	Entry("15.24: many variants", finding.KindAnswersInvalid,
		"In a, the rules made 9 of 40 decisions: 9 model answers were invalid; also 8 of 40 in b, 7 of 40 in c, "+
			"6 of 40 in d, and in 1 more variant.",
		func(s *suite) {
			for i, name := range []string{"a", "b", "c", "d", "e"} {
				s.Conditions = append(s.Conditions[:i], condition(name, eval.NoFault, 22, 40))
				n := 9 - int64(i)
				called(s, i, 40-n, counts{"decided_instead.rules": n, "answer_unused.unknown_label": n})
			}
		}),
	Entry("15.24: no decision instead", finding.KindAnswersInvalid,
		"In a, no decision was made in 4 of 40 cases: 4 model answers were invalid.",
		func(s *suite) {
			called(s, 0, 36, counts{"decided_instead.nobody": 4, "answer_unused.unknown_label": 4})
		}),
	Entry("15.24: a model that is not always called", finding.KindAnswersInvalid,
		"In a, keywords made 4 of 40 decisions in which the model was called: 4 model answers were invalid.",
		func(s *suite) {
			called(s, 0, 36, counts{"decided_instead.keywords": 4, "answer_unused.unknown_label": 4})
			s.Cases = 100
		}),
	Entry("15.24: several decisions in a case", finding.KindAnswersInvalid,
		"In a, keywords made 4 of 40 decisions (a conversation has several): 4 model answers were invalid.",
		func(s *suite) {
			called(s, 0, 36, counts{"decided_instead.keywords": 4, "answer_unused.unknown_label": 4})
			s.Cases = 20
		}),
	Entry("15.24: valid answers below the threshold", finding.KindAnswersNotUsed,
		"In a, the rules made 10 of 40 decisions: 9 model answers were below the threshold, 1 was invalid.",
		func(s *suite) {
			called(s, 0, 30,
				counts{"decided_instead.rules": 10, "answer_unused.low_confidence": 9,
					"answer_unused.malformed_json": 1})
		}),
	Entry("15.24: valid answers below the threshold are no warning", finding.KindAnswersInvalid, "",
		func(s *suite) {
			called(s, 0, 30,
				counts{"decided_instead.rules": 10, "answer_unused.low_confidence": 9,
					"answer_unused.malformed_json": 1})
		}),
	Entry("15.24: unused answers under a fault", finding.KindAnswersInvalid, "",
		func(s *suite) {
			called(s, 0, 0, counts{"decided_instead.rules": 40, "answer_unused.malformed_json": 40})
			s.Conditions[0].Fault = "router:malformed_json"
		}),
	Entry("15.24: at most 5 % unused answers", finding.KindAnswersInvalid, "",
		func(s *suite) {
			called(s, 0, 38, counts{"decided_instead.rules": 2, "answer_unused.malformed_json": 2})
		}),
)

var _ = DescribeTable("15.13: the sentence on prompts", checkSentence,
	Entry("simulated models with different prompts", finding.KindPromptsNotRead,
		"Simulated models do not read prompts: these results say nothing about prompts. To compare prompts, set "+
			"--model (evalctl help real-models).",
		func(s *suite) {
			s.Models = []eval.ModelInfo{{Component: "router", Kind: "simulated", LabelBased: true}}
			s.Prompts = map[string]string{"b": "1"}
		}),
	Entry("no custom prompts", finding.KindPromptsNotRead, "",
		func(s *suite) {
			s.Models = []eval.ModelInfo{{Component: "router", Kind: "simulated", LabelBased: true}}
		}),
	Entry("simulated models with the same prompts", finding.KindPromptsNotRead, "",
		func(s *suite) {
			s.Models = []eval.ModelInfo{{Kind: "simulated", Variants: []string{"a", "c"}},
				{Kind: "real", Variants: []string{"b"}}}
			s.Prompts = map[string]string{"b": "1"}
		}),
	Entry("simulated models with different prompts besides a real model", finding.KindPromptsNotRead,
		"Simulated models do not read prompts: these results say nothing about prompts. To compare prompts, set "+
			"--model (evalctl help real-models).",
		func(s *suite) {
			s.Models = []eval.ModelInfo{{Kind: "simulated", Variants: []string{"a", "c"}},
				{Kind: "real", Variants: []string{"b"}}}
			s.Prompts = map[string]string{"b": "1", "c": "2"}
		}),
)

var _ = DescribeTable("The sentences on labels", checkSentence,
	Entry("a top confusion", finding.KindTopConfusion,
		"Top confusion of c: x → y, 4 of 44.", func(s *suite) { confuse(s, 2, "y", 4) }),
	Entry("the same confusion of the baseline variant", finding.KindTopConfusion,
		"Top confusion of c: x → y, 4 of 44 (a: 9).",
		func(s *suite) {
			confuse(s, 2, "y", 4)
			confuse(s, 0, "y", 9)
		}),
	Entry("two other confusions of the baseline variant", finding.KindTopConfusion,
		"Top confusion of c: x → y, 4 of 44; a: x → z and y → x, 9 each.",
		func(s *suite) {
			confuse(s, 2, "y", 4)
			confuse(s, 0, "z", 9)
			tied(s, 0, 9)
		}),
	Entry("two equally frequent confusions", finding.KindTopConfusion,
		"Top confusions of c: x → y and y → x, 4 each.",
		func(s *suite) {
			confuse(s, 2, "y", 4)
			tied(s, 2, 4)
		}),
	Entry("three equally frequent confusions", finding.KindTopConfusion, "",
		func(s *suite) {
			confuse(s, 2, "y", 4)
			tied(s, 2, 4)
			tied(s, 2, 4)
		}),
	Entry("a rare confusion", finding.KindTopConfusion, "", func(s *suite) { confuse(s, 2, "y", 2) }),
	Entry("a label with the name of an invalid label", finding.KindTopConfusion,
		"Top confusion of c: x → invalid, 12 of 52.", func(s *suite) { confuse(s, 2, "invalid", 12) }),
	Entry("confusions after invalid labels", finding.KindTopConfusion,
		"Top confusion of c: x → y, 4 of 52.", func(s *suite) { invalid(s) }),
	Entry("many invalid labels", finding.KindInvalidLabels,
		"12 of 19 wrong answers of c are invalid labels.", func(s *suite) { invalid(s) }),
	Entry("only invalid labels, in cases with several turns", finding.KindInvalidLabels,
		"All 6 wrong answers of c are invalid labels.",
		func(s *suite) {
			confuse(s, 2, "invalid", 6)
			set(s, 2, metrics{"route.accuracy": of(0, 5)})
			s.Conditions[2].Confusion.InvalidLabel = "invalid"
		}),
	Entry("few invalid labels among the wrong answers", finding.KindInvalidLabels, "",
		func(s *suite) {
			confuse(s, 2, "invalid", 3)
			s.Conditions[2].Confusion.InvalidLabel = "invalid"
			s.Conditions[2].Confusion.Counts[1][0] = 16
		}),
	Entry("an invalid label that is a label", finding.KindInvalidLabels,
		"", func(s *suite) { confuse(s, 2, "invalid", 12) }),
	Entry("15.22: labels without cases", finding.KindLabelsWithoutCases,
		"Macro-F1 is the mean over 2 labels with cases; 3 labels have no case. Its interval is corrected for bias.",
		func(s *suite) { macroF1(s, 3, 3, 3) }),
	Entry("15.22: different numbers of labels without cases", finding.KindLabelsWithoutCases,
		"c: Macro-F1 is the mean over 2 labels with cases; 4 labels have no case. Its interval is corrected for "+
			"bias.",
		func(s *suite) { macroF1(s, 3, 3, 4) }),
	Entry("15.22: all labels with cases", finding.KindLabelsWithoutCases,
		"", func(s *suite) { macroF1(s, 0, 0, 0) }),
	Entry("an overconfident model", finding.KindOverconfident,
		"The model of b is over-confident: mean confidence 0.97, accuracy 75.0 % of 466.",
		func(s *suite) {
			confident(s, 0, 0.91, 0.8, 0.84)
			confident(s, 1, 0.97, 0.75, 0.8)
			confident(s, 2, 0.6, 0.9, 0.93)
		}),
	Entry("an overconfident model in cases selected because they failed", finding.KindOverconfident, "",
		func(s *suite) {
			confident(s, 0, 0.91, 0.3, 0.4)
			s.FailedInRun = "runs/first"
		}),
	Entry("a slightly overconfident model, and one under a fault", finding.KindOverconfident, "",
		func(s *suite) {
			confident(s, 0, 0.88, 0.8, 0.84)
			confident(s, 1, 0.99, 0.7, 0.75)
			s.Conditions[1].Fault = "router:low_confidence"
		}),
)

var _ = DescribeTable("The sentences on components", checkSentence,
	Entry("differences in recall and rank", finding.KindRetrieval,
		"c has the highest recall@5: 75.0 % of 55, 10.0 points above a [1.0, 19.0]; the difference from b "+
			"[−3.0, +6.0] has a 95 % interval that contains 0; MRR 0.700, higher than b (95 % interval excludes 0).",
		func(s *suite) { retrieve(s) }),
	Entry("a baseline model with a higher recall", finding.KindRetrieval,
		"c has the highest recall@5: 75.0 % of 55 (baseline model d: 75.5 %), 10.0 points above a [1.0, 19.0]; "+
			"the difference from b [−3.0, +6.0] has a 95 % interval that contains 0; MRR 0.700, higher than b "+
			"(95 % interval excludes 0).",
		func(s *suite) {
			retrieve(s)
			s.Conditions = append(s.Conditions, condition("d", eval.NoFault, 1, 100))
			s.Conditions[3].BaselineModel = true
			set(s, 3, metrics{eval.RecallScore: mean(0.755, 55)})
		}),
	Entry("a baseline model with a lower recall", finding.KindRetrieval,
		"c has the highest recall@5: 75.0 % of 55, 10.0 points above a [1.0, 19.0]; MRR 0.700, no 95 % interval "+
			"of its differences is above 0.",
		func(s *suite) {
			retrieve(s)
			s.Conditions[1].BaselineModel = true
		}),
	Entry("no difference in recall", finding.KindRetrieval, "",
		func(s *suite) {
			retrieve(s)
			s.Differences = s.Differences[1:]
			s.Differences[0].Metrics[eval.RecallScore] = eval.Contrast{Value: new(0.0), Lo: new(0.0), Hi: new(0.0)}
		}),
	Entry("one variant", finding.KindRetrieval, "",
		func(s *suite) {
			retrieve(s)
			s.Conditions[0].BaselineModel, s.Conditions[1].BaselineModel = true, true
		}),
	Entry("few cases", finding.KindRetrieval, "",
		func(s *suite) {
			retrieve(s)
			s.Conditions = s.Conditions[1:]
			set(s, 0, metrics{eval.RecallScore: mean(0.73, 19)})
		}),
	Entry("episodes", finding.KindEpisode,
		"c follows the labeled path exactly in 85.9 % of 64; 7.26 steps per episode (mean of 66); p95 55.9 s per "+
			"case.",
		func(s *suite) {
			set(s, 2,
				metrics{"path.exact": of(55, 64), "supervisor.steps_mean": mean(7.2576, 66),
					"episode.p95": mean(55871, 305)})
		}),
	Entry("few episodes", finding.KindEpisode,
		"c follows the labeled path exactly in 5 of 6; 7.26 steps per episode (mean of 66).",
		func(s *suite) { set(s, 2, metrics{"path.exact": of(5, 6), "supervisor.steps_mean": mean(7.2576, 66)}) }),
	Entry("no episode that ended", finding.KindEpisode,
		"", func(s *suite) { set(s, 2, metrics{"path.exact": of(55, 64)}) }),
	Entry("corrections", finding.KindCorrection,
		"3 of 654 decisions of c that name an agent are corrected, 2 of them x → y.",
		func(s *suite) { correct(s, 3, 2, 1) }),
	Entry("equally frequent corrections", finding.KindCorrection,
		"3 of 654 decisions of c that name an agent are corrected.", func(s *suite) { correct(s, 3, 1, 1) }),
	Entry("few corrections", finding.KindCorrection, "", func(s *suite) { correct(s, 2, 2) }),
	Entry("15.20: significant gains", finding.KindDeliveredImages,
		"Good images, first attempt to delivered: b +42.0 points [+32.6, +50.0], from 43.0 % to 85.0 %, a +18.0.",
		func(s *suite) {
			deliver(s, 0, 43, 61, 0.18, 0.107, 0.247)
			deliver(s, 1, 43, 85, 0.42, 0.326, 0.5)
			deliver(s, 2, 43, 44, 0.01, -0.02, 0.04)
		}),
	Entry("15.20: a significant loss", finding.KindDeliveredImages,
		"Good images, first attempt to delivered: a −18.0 points [−24.7, −10.7], from 61.0 % to 43.0 %.",
		func(s *suite) { deliver(s, 0, 61, 43, -0.18, -0.247, -0.107) }),
	Entry("15.20: a gain in cases with several turns", finding.KindDeliveredImages,
		"Good images, first attempt to delivered: a +18.0 points [+10.7, +24.7] (mean over cases), from 43.0 % to 61.0 %.",
		func(s *suite) {
			deliver(s, 0, 43, 61, 0.18, 0.107, 0.247)
			e := s.Conditions[0].Metrics["critic.good_gain"]
			e.Cases = 50
			set(s, 0, metrics{"critic.good_gain": e})
		}),
	Entry("15.20: no significant change", finding.KindDeliveredImages,
		"Good images, first attempt to delivered: the 95 % interval of the change contains 0 in a.",
		func(s *suite) { deliver(s, 0, 61, 62, 0.01, -0.02, 0.04) }),
	Entry("15.20: unlabeled attempts", finding.KindDeliveredImages, "", func(s *suite) {}),
	Entry("critics that differ", finding.KindCritic,
		"Bad images that pass the critic: a and c 96–98 %, b 14.0 % (14 of 100).",
		func(s *suite) {
			accept(s, 0, 96, 0.9, 0.98)
			accept(s, 1, 14, 0.08, 0.22)
			accept(s, 2, 98, 0.93, 0.99)
		}),
	Entry("critics with overlapping intervals", finding.KindCritic, "",
		func(s *suite) {
			accept(s, 0, 96, 0.9, 0.98)
			accept(s, 1, 50, 0.08, 0.94)
			accept(s, 2, 98, 0.93, 0.99)
		}),
	Entry("batches", finding.KindBatch,
		"c answers 31 batches with 2.90 messages on average; reply p50 6.92 s after the last message of a batch, "+
			"2.15 s after a single message.",
		func(s *suite) {
			set(s, 2,
				metrics{"batch.messages_mean": mean(2.9, 31), "latency.batch.p50": mean(6920, 31),
					"latency.single.p50": mean(2150, 500)})
		}),
	Entry("few batches", finding.KindBatch, "",
		func(s *suite) {
			set(s, 2,
				metrics{"batch.messages_mean": mean(2.9, 31), "latency.batch.p50": mean(6920, 19),
					"latency.single.p50": mean(2150, 500)})
		}),
	Entry("an expensive variant", finding.KindCost,
		"b costs USD 313.00 per 1,000 cases, 31 times as much as a.", func(s *suite) { costs(s, 10, 313) }),
	Entry("a variant that costs a few times as much", finding.KindCost,
		"b costs USD 31.00 per 1,000 cases, 3.10 times as much as a.", func(s *suite) { costs(s, 10, 31) }),
	Entry("a variant without cost", finding.KindCost,
		"b costs USD 313.00 per 1,000 cases, a costs nothing.", func(s *suite) { costs(s, 0, 313) }),
	Entry("similar costs", finding.KindCost, "", func(s *suite) { costs(s, 10, 19) }),
	Entry("an incomplete cost", finding.KindCost, "",
		func(s *suite) {
			costs(s, 10, 313)
			set(s, 0, metrics{"cost.usd_per_1000": {Value: new(10.0), N: 97, Missing: 3}})
		}),
)

var _ = DescribeTable("The sentences on faults", checkSentence,
	Entry("broken decisions", finding.KindWorstFault,
		"Worst fault: search:timeout makes 9 of 100 cases of a worse: all broken. It fixes 2 wrong decisions.",
		func(s *suite) { fault(s, "search:timeout", eval.FaultOutcome{NowWrong: 9, Broken: 9, Fixed: 2}, nil) }),
	Entry("broken decisions in several epochs", finding.KindWorstFault,
		"Worst fault: search:timeout makes 9 of 100 trials of a worse: all broken. It fixes 2 wrong decisions.",
		func(s *suite) {
			fault(s, "search:timeout", eval.FaultOutcome{NowWrong: 9, Broken: 9, Fixed: 2}, nil)
			s.Epochs = 2
		}),
	Entry("several faults with the same effect", finding.KindWorstFault,
		"Worst faults: router (timeout, reset and auth) each make 9 of 100 cases of a worse: all broken. "+
			"Each fixes 2 wrong decisions.",
		func(s *suite) {
			for _, f := range []string{"router:timeout", "router:reset", "router:auth"} {
				fault(s, f, eval.FaultOutcome{NowWrong: 9, Broken: 9, Fixed: 2}, nil)
			}
		}),
	Entry("each trial in one class: error replies with a wrong decision are not also broken", finding.KindWorstFault,
		"Worst fault: router:fallback_label makes 55 of 100 cases of a worse: 30 broken, 20 error replies and "+
			"5 failed or unscored.",
		func(s *suite) {
			fault(s, "router:fallback_label",
				eval.FaultOutcome{NowWrong: 30, NowErrorReply: 20, NowUnscored: 5, Broken: 50}, nil)
		}),
	Entry("error replies, most of them of fallbacks", finding.KindWorstFault,
		"Worst fault: router:timeout makes 31 of 100 cases of a worse: 1 broken and 30 error replies. "+
			"Every fallback still answers.",
		func(s *suite) {
			fault(s, "router:timeout", eval.FaultOutcome{NowWrong: 1, Broken: 1, NowErrorReply: 30},
				metrics{"fallback.recovered": of(50, 50)})
		}),
	Entry("an error reply in several epochs", finding.KindWorstFault,
		"Worst fault: router:timeout makes 1 of 100 trials of a worse: 1 error reply.",
		func(s *suite) {
			fault(s, "router:timeout", eval.FaultOutcome{NowErrorReply: 1}, nil)
			s.Epochs = 2
		}),
	Entry("the fault that makes most trials worse, although most of them are unscored", finding.KindWorstFault,
		"Worst fault: router:timeout makes 90 of 100 cases of a worse: all failed or unscored.",
		func(s *suite) {
			fault(s, "router:reset", eval.FaultOutcome{NowWrong: 3, Broken: 3}, nil)
			fault(s, "router:timeout", eval.FaultOutcome{NowUnscored: 90},
				metrics{"route.accuracy": unscored(10, 90)})
		}),
	Entry("a fault that makes nothing worse", finding.KindWorstFault, "",
		func(s *suite) { fault(s, "router:timeout", eval.FaultOutcome{MoreFallbacks: 90, Fixed: 2}, nil) }),
	Entry("a slow fault", finding.KindSlowestFault,
		"Slowest fault: router:timeout raises p95 of a from 1.00 s to 1.50 s.",
		func(s *suite) { slow(s, 1500, 100) }),
	Entry("a slow fault in cases with several turns", finding.KindSlowestFault,
		"Slowest fault: router:timeout raises the turn p95 of a from 1.00 s to 1.50 s.",
		func(s *suite) {
			slow(s, 1500, 100)
			set(s, 3, metrics{"episode.p95": mean(9000, 40)})
		}),
	Entry("a fault that is less than 1.5 times as slow", finding.KindSlowestFault,
		"", func(s *suite) { slow(s, 1499, 100) }),
	Entry("a slow fault in few trials", finding.KindSlowestFault, "", func(s *suite) { slow(s, 1500, 19) }),
	Entry("a slow fault under which 5 % of the turns have no latency", finding.KindSlowestFault,
		"Slowest fault: router:timeout raises p95 of a from 1.00 s to 1.50 s.",
		func(s *suite) {
			slow(s, 1500, 95)
			set(s, 3, metrics{"latency.p95": {Value: new(1500.0), N: 95, Missing: 5}})
		}),
	Entry("a slow fault under which more turns have no latency", finding.KindSlowestFault, "",
		func(s *suite) {
			slow(s, 1500, 94)
			set(s, 3, metrics{"latency.p95": {Value: new(1500.0), N: 94, Missing: 6}})
		}),
)

// since compares a variant with the baseline run.
func since(variant string, state eval.ComparisonState, points float64, fixed, broken int64) compare.Comparison {
	d := eval.Difference{State: state, Cases: 40, Fixed: fixed, Broken: broken, Accuracy: eval.Contrast{Value: &points}}
	return compare.Comparison{Epochs: 1, Candidates: []compare.Candidate{{Variant: variant}, {Variant: variant}},
		Pairs: []compare.PairResult{{Candidate: 1, Difference: d}}}
}

var _ = DescribeTable("The sentence on changes since the baseline run",
	func(want string, newVariants []string, change func(*compare.Comparison), list ...compare.Comparison) {
		if change != nil {
			change(&list[0])
		}
		s, ok := finding.BaselineChanges("runs/2", list, newVariants)
		Expect(ok).To(Equal(want != ""))
		if ok {
			Expect(s.String()).To(Equal("Compared with runs/2: " + want))
		}
	},
	Entry("identical decisions, of several variants together",
		"a and b make identical decisions in all 40 cases.", nil, nil,
		since("a", eval.Identical, 0, 0, 0), since("b", eval.Identical, 0, 0, 0)),
	Entry("a better variant", "b is better by 10.0 points (5 fixed, 1 broken).", nil, nil,
		since("b", eval.Better, 0.1, 5, 1)),
	Entry("a better variant in several epochs", "b is better by 10.0 points (5 right more often, 1 less often).", nil,
		func(c *compare.Comparison) { c.Epochs = 3 }, since("b", eval.Better, 0.1, 5, 1)),
	Entry("a worse variant", "d is worse by 20.0 points (0 fixed, 8 broken).", nil, nil,
		since("d", eval.Worse, -0.2, 0, 8)),
	Entry("no significant difference", "e: no significant difference (2 fixed, 1 broken).", nil, nil,
		since("e", eval.NotSignificant, 0.01, 2, 1)),
	Entry("15.27: a significant difference in a tag", "e: no significant difference overall; "+
		"lang:zh is worse by 13.0 points [−22.4, −3.1] (2 fixed, 5 broken).", nil,
		func(c *compare.Comparison) {
			c.Pairs[0].Difference = inTag(c.Pairs[0].Difference, "lang:zh", eval.Worse, -0.13, -0.224, -0.031)
		}, since("e", eval.NotSignificant, -0.01, 2, 5)),
	Entry("few cases", "too few cases of f are scored in both runs.", nil, nil,
		since("f", eval.InsufficientData, 0, 0, 0)),
	Entry("new variants", "g and h are new.", []string{"g", "h"}, nil),
	Entry("identical decisions first, new variants last", "a makes identical decisions in all 40 cases; "+
		"b is better by 10.0 points (5 fixed, 1 broken); g is new.", []string{"g"}, nil,
		since("b", eval.Better, 0.1, 5, 1), since("a", eval.Identical, 0, 0, 0)),
	Entry("no variants", "", nil, nil),
)
