package tune

import (
	"errors"
	"fmt"

	"evalctl/eval"
	"evalctl/eval/stats"
)

// level is the confidence level of all intervals in a Tuning.
const level = stats.ConfidenceLevel

// These errors of Close mean that the results do not determine a threshold.
var (
	ErrUnscored           = errors.New("no labeled turn was scored") // no result has a scored decision
	errNoModelDecision    = errors.New(eval.NoModelDecisionText)
	ErrNoFallbackDecision = errors.New( // no result contains the fallback's decision
		"no labeled turn stores the decision below a threshold (turns.model_decision.if_rejected), and there is no out-of-scope label to decide instead: name it with --oos-label LABEL")
	// no result contains a confidence
	ErrNoConfidence = errors.New("no answer reports a confidence from 0 to 1, so no threshold applies")
)

// IsUnsuitable reports whether an error of Close means that the agent or its configuration does not
// permit a threshold, although the results are sound.
func IsUnsuitable(err error) bool {
	return errors.Is(err, ErrNoFallbackDecision) || errors.Is(err, ErrNoConfidence)
}

// maxUnexplained and maxUnexplainedShare are the number and the share of turns that may contradict
// the current threshold. With more such turns, Close returns an error.
const (
	maxUnexplained      = 3
	maxUnexplainedShare = 0.01
)

// contradicts returns an error if the decisions of too many turns cannot come from the current
// threshold.
func (t *Tuner) contradicts() error {
	inconsistent, all := t.counts.InconsistentTurns, t.counts.InconsistentTurns+t.counts.ThresholdedTurns
	if inconsistent == 0 || t.counts.ThresholdedTurns > 0 &&
		(inconsistent <= maxUnexplained || float64(inconsistent) <= maxUnexplainedShare*float64(all)) {
		return nil
	}
	as := "any threshold"
	if p := t.cfg.Current; p != nil {
		as = fmt.Sprint("threshold ", *p)
	}
	return fmt.Errorf("%d of %d turns were not decided as %s would: the settings or the results are not those of the run", inconsistent, all, as)
}

// Close returns the tuning for all results that were added. It returns an error if they do not
// determine a threshold.
func (t *Tuner) Close() (Tuning, error) {
	switch {
	case len(t.trials) == 0:
		return Tuning{}, ErrUnscored
	case !t.hasModelDecision:
		return Tuning{}, errNoModelDecision
	case t.counts.ThresholdedTurns+t.counts.InconsistentTurns == 0:
		return Tuning{}, ErrNoFallbackDecision
	case t.counts.ThresholdedTurns > 0 && t.counts.WithoutConfidence == t.counts.ThresholdedTurns:
		return Tuning{}, ErrNoConfidence
	}
	if err := t.contradicts(); err != nil {
		return Tuning{}, err
	}
	present, err := t.currentThreshold()
	if err != nil {
		return Tuning{}, err
	}
	c := newCurve(t.trials)
	c.at = min(c.place(present), c.last)
	out := t.counts
	out.Cases, out.Trials, out.Missing = int64(len(c.cases)), int64(len(t.trials)), t.missing
	out.OOSLabel = t.cfg.OOSLabel
	out.CurrentKnown, out.Seed = t.cfg.Current != nil, t.cfg.Seed
	right := c.right(func(int) bool { return true })
	chosen := c.best(right, present)
	at := c.place(chosen)
	points := c.points(right, t.trials, out)
	for _, r := range c.region(right, t.cfg.Seed) {
		out.NotSignificantlyWorse = append(out.NotSignificantlyWorse,
			Range{Lo: points[r.from].Threshold, Hi: c.highest(r.to)})
	}
	points[c.at].Threshold, points[at].Threshold = present, chosen
	out.Best, out.Current = points[at], points[c.at]
	out.Points, out.Downsampled = thinned(points, maxPoints, at, c.at, 0, len(points)-1), len(points) > maxPoints
	out.TrainingAccuracy, out.CurrentAccuracy = c.accuracy(c.rightAt(at), t.missing),
		c.accuracy(c.rightAt(c.at), t.missing)
	if len(c.cases) > 1 {
		c.holdOut(&out, present, min(t.cfg.Folds, len(c.cases)))
	}
	return out, nil
}

// currentThreshold returns the threshold of the run. If it is not configured, it returns a
// threshold that leads to the same decisions.
func (t *Tuner) currentThreshold() (float64, error) {
	switch {
	case t.cfg.Current != nil:
		return *t.cfg.Current, nil
	case t.highestRejected >= t.lowestTrusted:
		return 0, fmt.Errorf("the decisions are of no single threshold: a confidence of %v was trusted, and one of %v was not", t.lowestTrusted, t.highestRejected)
	case t.highestRejected < 0:
		return 0, nil
	case t.lowestTrusted > 1:
		return 1, nil
	}
	return shortestBetween(t.highestRejected, t.lowestTrusted), nil
}

// rightAt returns, for each case, how many trials are right with the thresholds of a place (see
// curve).
func (c *curve) rightAt(place int) []int64 {
	right := make([]int64, len(c.cases))
	for i, one := range c.cases {
		right[i] = one.rightIfTrusted
	}
	for _, j := range c.jumps {
		if j.cut < place {
			right[j.caseIndex] += j.right
		}
	}
	return right
}

// accuracy returns the accuracy with its confidence interval. right contains the right trials of
// each case.
func (c *curve) accuracy(right []int64, missing int64) eval.Estimate {
	s := c.share(right)
	e := eval.Estimate{N: s.N(), Missing: missing}
	if s.Cases() < s.N() {
		e.Cases = s.Cases()
	}
	if v, ok := s.Value(); ok {
		e.Value = &v
	}
	if lo, hi, ok := s.Interval(level); ok {
		e.Lo, e.Hi = &lo, &hi
	}
	return e
}

func (c *curve) share(right []int64) *stats.Proportion {
	var s stats.Proportion
	for i, one := range c.cases {
		s.Add(right[i], one.n)
	}
	return &s
}

// effective returns how many independent trials would give the same precision. Epochs of a case are
// not independent.
func (c *curve) effective(right []int64) float64 { return c.share(right).EffectiveN() }
