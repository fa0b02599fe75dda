package finding_test

import (
	"maps"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/eval"
	"evalctl/reports/finding"
)

func TestFinding(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "finding")
}

type (
	suite   = eval.SuiteSummary
	metrics = map[string]eval.Estimate
	counts  = map[string]int64
)

func of(k, n int64) eval.Estimate { return eval.Estimate{Value: new(float64(k) / float64(n)), N: n} }

func mean(v float64, n int64) eval.Estimate { return eval.Estimate{Value: &v, N: n} }

// unscored returns an accuracy of scored trials, all correct, and unscored trials.
func unscored(scored, missing int64) eval.Estimate {
	return eval.Estimate{Value: new(1.0), N: scored, Missing: missing}
}

func condition(name, fault string, right, n int64) eval.ConditionSummary {
	return eval.ConditionSummary{Variant: name, Fault: fault, Trials: n,
		Metrics: metrics{"route.accuracy": of(right, n)}}
}

func versus(b, a string, state eval.ComparisonState, v, lo, hi float64) eval.Difference {
	return eval.Difference{Variant: b, ComparedWith: a, State: state, Cases: 100, Fixed: 7, Broken: 4,
		Accuracy: eval.Contrast{Value: &v, Lo: &lo, Hi: &hi, N: 100}, MinDetectableDifference: new(0.082)}
}

func inTag(d eval.Difference, tag string, state eval.ComparisonState, v, lo, hi float64) eval.Difference {
	d.SignificantTags = append(d.SignificantTags,
		eval.TagDifference{Tag: tag, State: state, Accuracy: eval.Contrast{Value: &v, Lo: &lo, Hi: &hi}})
	return d
}

// canDetect is the minimum detectable difference of versus.
const canDetect = " The 100 cases that both score can detect 8.2 points with 80 % power."

var (
	cAboveA = versus("c", "a", eval.Better, 0.11, 0.05, 0.17)
	cEqualB = versus("c", "b", eval.NotSignificant, 0, -0.03, 0.03)
)

// three returns a suite in which the variants a, b and c have 70, 80 and 81 of 100 decisions right.
func three(differences ...eval.Difference) suite {
	return suite{Cases: 100, Epochs: 1, Differences: differences, Conditions: []eval.ConditionSummary{
		condition("a", eval.NoFault, 70, 100), condition("b", eval.NoFault, 80, 100),
		condition("c", eval.NoFault, 81, 100)}}
}

func sentenceOf(s suite, kind finding.Kind) string {
	for _, f := range finding.Findings(s) {
		if f.Kind == kind {
			return f.String()
		}
	}
	return ""
}

// checkSentence checks the sentence of a kind for the suite of three with a change; "": no sentence.
func checkSentence(kind finding.Kind, want string, change func(*suite)) {
	s := three()
	change(&s)
	Expect(sentenceOf(s, kind)).To(Equal(want))
}

// set sets metrics of a condition.
func set(s *suite, at int, m metrics) { maps.Copy(s.Conditions[at].Metrics, m) }

func compareVariants(s *suite, list ...eval.Difference) {
	s.Differences = append(s.Differences, list...)
}

// identical makes b and c equally accurate, with identical decisions.
func identical(s *suite, list ...eval.Difference) {
	s.Conditions[1] = condition("b", eval.NoFault, 81, 100)
	compareVariants(s, append(list, versus("c", "b", eval.Identical, 0, 0, 0))...)
}

// baselineModel adds a baseline model with this many of 100 decisions right.
func baselineModel(s *suite, right int64, list ...eval.Difference) {
	c := condition("linear", eval.NoFault, right, 100)
	c.BaselineModel = true
	s.Conditions = append(s.Conditions, c)
	compareVariants(s, list...)
}

// called makes a variant use its model's answers in this many of 40 decisions.
func called(s *suite, at int, used int64, others counts) {
	s.Cases = 40
	s.Conditions[at].Metrics = metrics{"route.accuracy": of(22, 40), "router.answer_used": of(used, 40)}
	for name, n := range others {
		set(s, at, metrics{"router." + name: of(n, 40)})
	}
}

// confuse makes a variant predict a label instead of x in n cases.
func confuse(s *suite, at int, predicted string, n int64) {
	s.Conditions[at].ConfusedPairs = []eval.ConfusedPair{{Expected: "x", Predicted: predicted, N: n}}
	s.Conditions[at].Confusion = &eval.Confusion{Labels: []string{"x", predicted}, Counts: [][]int64{{40, n}, {0, 50}}}
}

// tied adds a confusion.
func tied(s *suite, at int, n int64) {
	c := &s.Conditions[at]
	c.ConfusedPairs = append(c.ConfusedPairs, eval.ConfusedPair{Expected: "y", Predicted: "x", N: n})
}

// invalid gives c 12 invalid labels among 19 wrong answers.
func invalid(s *suite) {
	confuse(s, 2, "invalid", 12)
	c := &s.Conditions[2]
	c.ConfusedPairs = append(c.ConfusedPairs, eval.ConfusedPair{Expected: "x", Predicted: "y", N: 4})
	c.Confusion = &eval.Confusion{Labels: []string{"x", "y", "invalid"},
		Counts: [][]int64{{36, 4, 12}, {3, 50, 0}, {0, 0, 0}}, InvalidLabel: "invalid"}
}

// macroF1 sets the number of labels without cases in each variant.
func macroF1(s *suite, lacking ...int64) {
	for i, n := range lacking {
		set(s, i, metrics{"route.macro_f1": of(8, 10), "route.recall.chat": of(5, 6), "route.recall.image": of(3, 4),
			"route.recall.time": {Missing: 2}})
		s.Conditions[i].LabelsWithoutCases = n
	}
}

func confident(s *suite, at int, mean, right, hi float64) {
	s.Conditions[at].Confidence = &eval.ConfidenceSummary{MeanConfidence: mean,
		Accuracy: eval.Estimate{Value: &right, Lo: new(2*right - hi), Hi: &hi, N: 466}}
}

// retrieve gives c the highest recall, significantly above a but not above b.
func retrieve(s *suite) {
	for i, recall := range []float64{0.65, 0.73, 0.75} {
		set(s, i, metrics{eval.RecallScore: mean(recall, 55), eval.MRRScore: mean([]float64{0.5, 0.5, 0.7}[i], 55)})
	}
	by := func(v, lo, hi float64) eval.Contrast { return eval.Contrast{Value: &v, Lo: &lo, Hi: &hi, N: 55} }
	compareVariants(s, versus("a", "c", eval.Identical, 0, 0, 0), versus("c", "b", eval.Identical, 0, 0, 0))
	s.Differences[0].Metrics = map[string]eval.Contrast{
		eval.RecallScore: by(-0.1, -0.19, -0.01), eval.MRRScore: by(-0.1, -0.2, 0.01)}
	s.Differences[1].Metrics = map[string]eval.Contrast{
		eval.RecallScore: by(0.02, -0.03, 0.06), eval.MRRScore: by(0.1, 0.05, 0.2)}
}

// correct sets how many of 654 decisions of c were corrected, and the most frequent corrections.
func correct(s *suite, n int64, top ...int64) {
	set(s, 2, metrics{"supervisor.correction_rate": of(n, 654)})
	for i, k := range top {
		s.Conditions[2].Corrections = append(s.Conditions[2].Corrections,
			eval.Correction{Proposed: "x", Executed: []string{"y", "z"}[i], N: k})
	}
}

func deliver(s *suite, at int, first, delivered int64, gain, lo, hi float64) {
	s.Conditions[at].LoopRounds = make([]eval.LoopRoundSummary, 2)
	set(s, at, metrics{"critic.first_attempt_good": of(first, 100), "critic.delivered_good": of(delivered, 100),
		"critic.good_gain": {Value: &gain, Lo: &lo, Hi: &hi, N: 100}})
}

func accept(s *suite, at int, k int64, lo, hi float64) {
	set(s, at, metrics{"critic.false_accept": {Value: new(float64(k) / 100), Lo: &lo, Hi: &hi, N: 100}})
}

func costs(s *suite, usd ...float64) {
	for i, v := range usd {
		set(s, i, metrics{"cost.usd_per_1000": mean(v, 100)})
	}
}

// fault adds a condition of the variant a with a fault.
func fault(s *suite, name string, outcome eval.FaultOutcome, m metrics) {
	s.Conditions = append(s.Conditions, condition("a", name, 70-outcome.NowWrong, 100))
	set(s, len(s.Conditions)-1, m)
	outcome.Variant, outcome.Fault, outcome.Trials = "a", name, 100
	s.FaultOutcomes = append(s.FaultOutcomes, outcome)
}

// slow adds a fault with a p95 in milliseconds over n turns, compared with 1,000 ms without it.
func slow(s *suite, p95 float64, n int64) {
	set(s, 0, metrics{"latency.p95": mean(1000, 100)})
	fault(s, "router:timeout", eval.FaultOutcome{}, metrics{"latency.p95": mean(p95, n)})
}
