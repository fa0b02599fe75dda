package tune

import (
	"errors"
	"fmt"
	"slices"

	"evalctl/eval"
	"evalctl/eval/metric"
	"evalctl/eval/stats"
)

// level is the confidence level of all intervals in a Tuning.
const level = stats.ConfidenceLevel

// These errors of Close mean that the results do not determine a threshold.
var (
	ErrNoScoredTurn       = errors.New("no labeled turn was scored") // no result has a scored decision
	errNoModelDecision    = errors.New(eval.NoModelDecisionText)
	ErrNoFallbackDecision = errors.New( // no result contains the fallback's decision
		"no labeled turn stores the decision below a threshold (turns.model_decision.if_rejected), " +
			"and there is no out-of-scope label to decide instead: name it with --oos-label LABEL")
	// no result contains a confidence
	ErrNoConfidence = errors.New("no answer reports a confidence from 0 to 1, so no threshold applies")
)

// IsThresholdUnsupported reports whether an error of Close means that the agent or its
// configuration does not permit a threshold, although the results are sound.
func IsThresholdUnsupported(err error) bool {
	var goal *ObjectiveError
	return errors.Is(err, ErrNoFallbackDecision) || errors.Is(err, ErrNoConfidence) || errors.As(err, &goal)
}

// maxUnexplained and maxUnexplainedShare are the number and the share of turns that may contradict
// the current threshold. With more such turns, Close returns an error.
const (
	maxUnexplained      = 3
	maxUnexplainedShare = 0.01
)

// checkConsistent returns an error if the decisions of too many turns cannot come from the current
// threshold.
func (t *Tuner) checkConsistent() error {
	inconsistent, all := t.counts.InconsistentTurns, t.counts.InconsistentTurns+t.counts.ThresholdedTurns
	if inconsistent == 0 || t.counts.ThresholdedTurns > 0 &&
		(inconsistent <= maxUnexplained || float64(inconsistent) <= maxUnexplainedShare*float64(all)) {
		return nil
	}
	as := "any threshold"
	if p := t.cfg.CurrentThreshold; p != nil {
		as = fmt.Sprint("threshold ", *p)
	}
	return fmt.Errorf("%d of %d turns were not decided as %s would: the settings or the results are not those of the run", inconsistent, all, as)
}

// Finish returns the tuning for all results that were added. It returns an error if they do not
// determine a threshold.
func (t *Tuner) Finish() (Tuning, error) {
	switch {
	case len(t.trials) == 0:
		return Tuning{}, ErrNoScoredTurn
	case !t.hasModelDecision:
		return Tuning{}, errNoModelDecision
	case t.counts.ThresholdedTurns+t.counts.InconsistentTurns == 0:
		return Tuning{}, ErrNoFallbackDecision
	case t.counts.ThresholdedTurns > 0 && t.counts.WithoutConfidence == t.counts.ThresholdedTurns:
		return Tuning{}, ErrNoConfidence
	}
	if err := t.checkConsistent(); err != nil {
		return Tuning{}, err
	}
	present, err := t.currentThreshold()
	if err != nil {
		return Tuning{}, err
	}
	if err := t.checkGoal(); err != nil {
		return Tuning{}, err
	}
	c := newCurve(t.trials, t.goal())
	c.at = min(c.place(present), c.last)
	out := t.counts
	out.Cases, out.Trials, out.UnscoredTrials = int64(len(c.cases)), int64(len(t.trials)), t.missing
	out.OOSLabel, out.Objective, out.OOSPrior = t.cfg.OOSLabel, t.cfg.Objective.String(), t.cfg.OOSPrior
	out.LimitedMeasure = t.cfg.Objective.limited.name
	for _, one := range t.trials {
		out.OOSTurns += one.oosTurns
		out.InScopeTurns += one.inScopeTurns
	}
	out.CurrentConfigured, out.Seed = t.cfg.CurrentThreshold != nil, t.cfg.Seed
	scores := c.scores(all)
	points := c.points(out)
	if err := c.checkScores(points); err != nil {
		return Tuning{}, err
	}
	chosen := c.best(scores, present)
	at := c.place(chosen)
	for _, r := range c.region(scores, t.cfg.Seed) {
		out.NotSignificantlyWorse = append(out.NotSignificantlyWorse,
			Range{Lo: points[r.from].Threshold, Hi: c.highest(r.to)})
	}
	points[c.at].Threshold, points[at].Threshold = present, chosen
	out.Best, out.Current = points[at], points[c.at]
	out.Points, out.Downsampled = thinned(points, maxPoints, at, c.at, 0, len(points)-1), len(points) > maxPoints
	accuracy := func(place int) eval.Estimate {
		return c.estimate(measures()[0], mix{}, c.sumsAt(func(int) int { return place }), 0, t.missing)
	}
	out.TrainingAccuracy, out.CurrentAccuracy = accuracy(at), accuracy(c.at)
	if len(c.cases) > 1 {
		c.holdOut(&out, present, min(t.cfg.Folds, len(c.cases)))
	}
	return out, nil
}

// goal returns what the threshold is chosen by.
func (t *Tuner) goal() goal {
	return goal{
		Objective: t.cfg.Objective,
		mix:       mix{hasOOS: t.cfg.OOSLabel != "", prior: t.cfg.OOSPrior},
		fixedCost: t.cfg.FixedCost || t.counts.AgentLacksThreshold,
	}
}

// ObjectiveError is an objective or a prior that cannot be computed from the results.
type ObjectiveError struct{ problem string }

func (e *ObjectiveError) Error() string { return e.problem }

func goalError(format string, a ...any) error {
	return &ObjectiveError{problem: fmt.Sprintf(format, a...)}
}

// checkGoal returns an error if the objective or the prior requires classes that the cases lack.
func (t *Tuner) checkGoal() error {
	g := t.goal()
	if g.fixedCost && g.IsCost() {
		return goalError("the cost does not depend on the threshold: the model is called at any threshold")
	}
	var what string
	for _, m := range g.measured() {
		if m.usesOOS(g.mix) {
			what = "the objective " + m.name
		}
	}
	if g.prior > 0 {
		what = "a prior"
		if !slices.ContainsFunc(g.measured(), func(m measure) bool { return m.dependsOnMix }) {
			return goalError("the prior has no effect: %s does not depend on the share of out-of-scope messages",
				g.name())
		}
	}
	if what == "" {
		return nil
	}
	if t.cfg.OOSLabel == "" {
		return goalError("%s requires an out-of-scope label: name it with --oos-label LABEL", what)
	}
	var oos, inside int64
	for _, one := range t.trials {
		oos, inside = oos+one.oosTurns, inside+one.inScopeTurns
	}
	switch {
	case oos == 0:
		return goalError("%s requires out-of-scope cases, but no scored turn expects only %q", what, t.cfg.OOSLabel)
	case inside == 0:
		return goalError("%s requires cases in scope, but every scored turn accepts %q", what, t.cfg.OOSLabel)
	}
	return nil
}

// checkScores returns an error if no threshold has a known objective, or none is within the limit.
func (c *curve) checkScores(points []Point) error {
	g := c.goal
	nearest := -1
	isKnown, isAnyAllowed := false, false
	for i, p := range points {
		isKnown = isKnown || p.ObjectiveValue != nil
		if g.limited.name == "" || p.LimitedValue == nil {
			continue
		}
		if g.IsWithinLimit(*p.LimitedValue) {
			isAnyAllowed = true
			if p.ObjectiveValue != nil {
				return nil
			}
		}
		if nearest < 0 || g.limited.oriented(*p.LimitedValue) > g.limited.oriented(*points[nearest].LimitedValue) {
			nearest = i
		}
	}
	switch {
	case !isKnown:
		return undefinedError(g.goal(), "any threshold")
	case g.limited.name == "":
		return nil
	case nearest < 0:
		return undefinedError(g.limited, "any threshold")
	case isAnyAllowed:
		return undefinedError(g.goal(), "a threshold with "+g.limitText())
	}
	extreme := "highest"
	if g.limited.lowerIsBetter {
		extreme = "lowest"
	}
	return goalError("no threshold has %s: the %s is %s, at %v", g.limitText(), extreme,
		g.limited.format(*points[nearest].LimitedValue), points[nearest].Threshold)
}

// undefinedError reports that a measure has no value at any of the thresholds.
func undefinedError(m measure, thresholds string) error {
	if m.name == costMeasure {
		return goalError("the cost is unknown: the run has no price for every trial")
	}
	return goalError("%s is undefined: no turn gets the out-of-scope label at %s", m.name, thresholds)
}

// format returns a value of the measure with its unit.
func (m measure) format(v float64) string {
	if m.name == costMeasure {
		return metric.FormatUSD(v)
	}
	return metric.FormatShare(v)
}

// currentThreshold returns the threshold of the run. If it is not configured, it returns a
// threshold that leads to the same decisions.
func (t *Tuner) currentThreshold() (float64, error) {
	switch {
	case t.cfg.CurrentThreshold != nil:
		return *t.cfg.CurrentThreshold, nil
	case t.highestRejected >= t.lowestTrusted:
		return 0, fmt.Errorf("the decisions are of no single threshold: a confidence of %v was trusted, and one of %v was not", t.lowestTrusted, t.highestRejected)
	case t.highestRejected < 0:
		return 0, nil
	case t.lowestTrusted > 1:
		return 1, nil
	}
	return shortestBetween(t.highestRejected, t.lowestTrusted), nil
}
