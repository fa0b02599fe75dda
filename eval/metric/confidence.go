package metric

import (
	"slices"

	"evalctl/agent"
	"evalctl/eval"
	"evalctl/eval/stats"
)

// Sizes of a condition's confidence tables: bins of the reliability table, which ECE also uses, and
// points of the risk-coverage curve. All bins contain the same number of answers. Most models use
// only a tenth of the scale, so bins of fixed width would be overfull or empty.
const (
	reliabilityBins = 10
	curveSteps      = 100
)

// confidence measures how well the stated confidence of the deciding model predicts that its answer
// is right (calibration). It covers the model's own answers in all labeled turns, even if another
// source made the decision. An answer is right if the turn accepts its label.
//
// A turn is not scored if a guard or a rule decided it without calling the model, or if the inputs
// left no choice. A turn in which the model's answer could not decide is not scored either. A turn
// in which the model was called but gave no answer or no confidence is missing. A condition in
// which no model was called has none of these metrics.
//
// Memory is bounded for any number of cases: see [stats.Calibration].
type confidence struct {
	node        string // node name of the deciding component; "": unknown
	answers     stats.Calibration
	modelCalled bool
	missing     int64
}

func (m *confidence) Add(trials []eval.Result) {
	var answers []stats.Answer
	for _, r := range trials {
		m.modelCalled = m.modelCalled || m.isModelCalled(r)
		turns := r.Decisions()
		// after a scorer error, it is unknown whether the case has a label
		if len(turns) == 0 && r.Error != nil && r.Error.Kind == eval.ScorerError {
			m.missing++
		}
		for _, j := range turns {
			switch o := modelDecision(r, j.Turn); {
			case o == nil && m.isDecidedWithoutCall(r, j), o != nil && o.DecisionIfAccepted != "":
			case o == nil, o.Confidence == nil, !(*o.Confidence >= 0 && *o.Confidence <= 1):
				m.missing++
			default:
				answers = append(answers, stats.Answer{Confidence: *o.Confidence, Correct: j.Expected.Has(o.Label)})
			}
		}
	}
	m.answers.AddCase(answers...)
}

// isModelCalled reports whether a model was called to decide in the trial.
func (m *confidence) isModelCalled(r eval.Result) bool {
	return slices.ContainsFunc(r.Turns, func(t eval.TurnSummary) bool { return t.ModelDecision != nil }) ||
		slices.ContainsFunc(r.Nodes, func(n eval.NodeVisit) bool { return m.node != "" && n.Node == m.node })
}

func modelDecision(r eval.Result, turn int) *agent.ModelDecision {
	if turn < 1 || turn > len(r.Turns) {
		return nil
	}
	return r.Turns[turn-1].ModelDecision
}

// isDecidedWithoutCall reports whether a turn was decided without a model call. If it is unknown in
// which turns the model was called, only the decision of a guard counts.
func (m *confidence) isDecidedWithoutCall(r eval.Result, j eval.TurnScore) bool {
	source := r.DecidedBy
	if s, _ := r.Decision(); s.Turn != j.Turn {
		source = "" // the source in the result belongs to another turn
	}
	if j.Turn >= 1 && j.Turn <= len(r.Turns) && r.Turns[j.Turn-1].DecidedBy != "" {
		source = r.Turns[j.Turn-1].DecidedBy
	}
	visits := slices.DeleteFunc(slices.Clone(r.Nodes), func(n eval.NodeVisit) bool { return n.Node != m.node })
	if m.node == "" || slices.ContainsFunc(visits, func(n eval.NodeVisit) bool { return n.Turn == 0 }) {
		return source == guardSource
	}
	return source != "" && !slices.ContainsFunc(visits, func(n eval.NodeVisit) bool { return n.Turn == j.Turn })
}

// guardSource is the source of a decision that leaves the model no choice.
const guardSource = "guard"

func (m *confidence) Close(into *eval.ConditionSummary) {
	if !m.modelCalled {
		return
	}
	of := &m.answers
	into.Metrics["confidence.ece"] = m.estimate(of.ECE(reliabilityBins))(of.ECEInterval(reliabilityBins, level))
	into.Metrics["confidence.brier"] = m.estimate(of.Brier())(of.BrierInterval(level))
	into.Metrics["confidence.auroc"] = m.estimate(of.AUROC())(of.AUROCInterval(level))
	if of.N() > 0 && into.Tag == "" && (into.Fault == "" || into.Fault == eval.NoFault) {
		into.Confidence = confidenceTables(of)
	}
}

// estimate takes the value of a metric and returns a function that adds the interval, so that both
// can be results of method calls.
func (m *confidence) estimate(v float64, ok bool) func(lo, hi float64, ok bool) eval.Estimate {
	e := eval.Estimate{N: m.answers.N(), Cases: casesIfClustered(m.answers.Cases(), m.answers.N()), Missing: m.missing}
	if ok {
		e.Value = &v
	}
	return func(lo, hi float64, ok bool) eval.Estimate {
		if ok {
			e.Lo, e.Hi = &lo, &hi
		}
		return e
	}
}

// confidenceTables returns the reliability table and the risk-coverage curve of a condition.
func confidenceTables(of *stats.Calibration) *eval.ConfidenceSummary {
	mean, _ := of.MeanConfidence()
	chance, _ := of.ECEIfCalibrated(reliabilityBins)
	aurc, _ := of.AURC()
	s := &eval.ConfidenceSummary{
		MeanConfidence:  mean,
		Accuracy:        proportion(of.Accuracy(), 0),
		ECEIfCalibrated: chance,
		AURC:            aurc,
	}
	for _, b := range of.ReliabilityBins(reliabilityBins) {
		s.Bins = append(s.Bins, eval.ConfidenceBin{
			Lo:             b.MinConfidence,
			Hi:             b.MaxConfidence,
			MeanConfidence: b.MeanConfidence,
			Accuracy:       shareOfAnswers(of, b.Correct, b.N),
		})
	}
	for _, p := range onePointPerPercent(of.RiskCoverage()) {
		s.RiskCoverage = append(s.RiskCoverage,
			eval.RiskPoint{Threshold: p.Confidence, Coverage: float64(p.Accepted) / float64(p.N),
				Risk: shareOfAnswers(of, p.Wrong, p.Accepted)})
	}
	return s
}

// shareOfAnswers returns k of n answers as a share, with its interval.
func shareOfAnswers(of *stats.Calibration, k, n int64) eval.Estimate {
	e := eval.Estimate{Value: ratio(k, n), N: n}
	if lo, hi, ok := of.SubsetInterval(k, n, level); ok {
		e.Lo, e.Hi = &lo, &hi
	}
	return e
}

// onePointPerPercent reduces the risk-coverage curve to one point per whole percent of coverage:
// the last in each. The result has at most 101 points; the last covers all answers.
func onePointPerPercent(points []stats.RiskCoveragePoint) (kept []stats.RiskCoveragePoint) {
	for i, p := range points {
		if i+1 == len(points) || curveSteps*points[i+1].Accepted/p.N > curveSteps*p.Accepted/p.N {
			kept = append(kept, p)
		}
	}
	return kept
}
