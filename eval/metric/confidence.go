package metric

import (
	"slices"

	"evalctl/agent"
	"evalctl/eval"
	"evalctl/eval/stats"
)

// The tables of a cell's confidence: rows of the reliability table, over which ECE is
// taken too, and points of the risk-coverage curve. Bins hold as many answers each:
// most models huddle in a tenth of the scale, and fixed bins would be full or empty.
const (
	reliabilityBins = 10
	curveSteps      = 100
)

// confidence tells how far the deciding model's own confidence can be believed: of what
// it said itself, whoever decided in the end, over all labelled turns. It is right where
// the turn accepts its label. A turn that is decided without asking, because a gate is
// closed, the inputs leave no choice or a rule holds, is not judged: it was no question to
// the model. Nor is one whose decision was closed to it. Of those that were asked, turns
// are missing that have no answer of it, for the call failed too, or no confidence. A cell
// in which nobody asked one has none of this.
//
// What is kept is bounded, whatever the number of cases: see [stats.Calibration].
type confidence struct {
	node    string // of the part that decides; "": nobody knows
	answers stats.Calibration
	asked   bool
	missing int64
}

func (m *confidence) Add(trials []eval.Result) {
	var answers []stats.Answer
	for _, r := range trials {
		m.asked = m.asked || m.asks(r)
		judged := r.Decisions()
		if len(judged) == 0 && r.Error != nil && r.Error.Kind == eval.ScorerError { // there may have been a label
			m.missing++
		}
		for _, j := range judged {
			switch o := opinion(r, j.Turn); {
			case o == nil && m.isUnasked(r, j), o != nil && o.IfAccepted != "":
			case o == nil, o.Confidence == nil, !(*o.Confidence >= 0 && *o.Confidence <= 1):
				m.missing++
			default:
				answers = append(answers, stats.Answer{Confidence: *o.Confidence, Correct: j.Expected.Has(o.Label)})
			}
		}
	}
	m.answers.AddCase(answers...)
}

// asks tells a trial in which a model was asked to decide.
func (m *confidence) asks(r eval.Result) bool {
	return slices.ContainsFunc(r.Turns, func(t eval.TurnRow) bool { return t.ModelDecision != nil }) ||
		slices.ContainsFunc(r.Nodes, func(n eval.NodeVisit) bool { return m.node != "" && n.Node == m.node })
}

func opinion(r eval.Result, turn int) *agent.ModelDecision {
	if turn < 1 || turn > len(r.Turns) {
		return nil
	}
	return r.Turns[turn-1].ModelDecision
}

// isUnasked tells a turn that was decided without asking the model. Where it is not known
// in which turns a model was called, only what is forced is so.
func (m *confidence) isUnasked(r eval.Result, j eval.TurnScore) bool {
	source := r.DecidedBy
	if s, _ := r.Decision(); s.Turn != j.Turn {
		source = "" // the row shows another turn
	}
	if j.Turn >= 1 && j.Turn <= len(r.Turns) && r.Turns[j.Turn-1].DecidedBy != "" {
		source = r.Turns[j.Turn-1].DecidedBy
	}
	visits := slices.DeleteFunc(slices.Clone(r.Nodes), func(n eval.NodeVisit) bool { return n.Node != m.node })
	if m.node == "" || slices.ContainsFunc(visits, func(n eval.NodeVisit) bool { return n.Turn == 0 }) {
		return source == forced
	}
	return source != "" && !slices.ContainsFunc(visits, func(n eval.NodeVisit) bool { return n.Turn == j.Turn })
}

// forced is the source of a decision that leaves a model no choice.
const forced = "guard"

func (m *confidence) Close(into *eval.ConditionSummary) {
	if !m.asked {
		return
	}
	of := &m.answers
	into.Metrics["confidence.ece"] = m.estimate(of.ECE(reliabilityBins))(of.ECEInterval(reliabilityBins, level))
	into.Metrics["confidence.brier"] = m.estimate(of.Brier())(of.BrierInterval(level))
	into.Metrics["confidence.auroc"] = m.estimate(of.AUROC())(of.AUROCInterval(level))
	if of.N() > 0 && into.Tag == "" && (into.Fault == "" || into.Fault == eval.NoFault) {
		into.Confidence = tables(of)
	}
}

// estimate takes a value, then its interval.
func (m *confidence) estimate(v float64, ok bool) func(lo, hi float64, ok bool) eval.Estimate {
	e := eval.Estimate{N: m.answers.N(), Cases: fewer(m.answers.Cases(), m.answers.N()), Missing: m.missing}
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

// tables are the reliability table and the risk-coverage curve.
func tables(of *stats.Calibration) *eval.ConfidenceSummary {
	mean, _ := of.Mean()
	chance, _ := of.ECEIfCalibrated(reliabilityBins)
	aurc, _ := of.AURC()
	s := &eval.ConfidenceSummary{MeanConfidence: mean, Accuracy: proportion(of.Accuracy(), 0), ECEIfCalibrated: chance, AURC: aurc}
	for _, b := range of.Bins(reliabilityBins) {
		s.Bins = append(s.Bins, eval.ConfidenceBin{Lo: b.Lo, Hi: b.Hi, MeanConfidence: b.Mean, Accuracy: part(of, b.Correct, b.N)})
	}
	for _, p := range thinned(of.RiskCoverage()) {
		s.RiskCoverage = append(s.RiskCoverage, eval.RiskPoint{Threshold: p.Confidence, Coverage: float64(p.Kept) / float64(p.N), Risk: part(of, p.Wrong, p.Kept)})
	}
	return s
}

// part is a share of some of the answers.
func part(of *stats.Calibration, k, n int64) eval.Estimate {
	e := eval.Estimate{Value: ratio(k, n), N: n}
	if lo, hi, ok := of.ShareInterval(k, n, level); ok {
		e.Lo, e.Hi = &lo, &hi
	}
	return e
}

// thinned keeps of each whole percent of coverage the point that covers most, so that
// there are at most 101, the last of them with all answers.
func thinned(points []stats.RiskPoint) (kept []stats.RiskPoint) {
	for i, p := range points {
		if i+1 == len(points) || curveSteps*points[i+1].Kept/p.N > curveSteps*p.Kept/p.N {
			kept = append(kept, p)
		}
	}
	return kept
}
