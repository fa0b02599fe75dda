package runs

import (
	"errors"
	"fmt"

	"evalctl/eval"
	"evalctl/eval/metric"
)

// maxMetric is a value that no metric of a real run exceeds. Larger values would become infinite
// when they are formatted.
const maxMetric = 1e18

// tolerance is the rounding error that a share may have.
const tolerance = 1e-9

// checkMetrics returns an error for metrics that no run writes. They show that the file was edited.
// The list of runs and trends print the metrics of a summary without the results.
func checkMetrics(s eval.SuiteSummary) error {
	for _, list := range [][]eval.ConditionSummary{s.Conditions, s.Slices} {
		for _, c := range list {
			if c.Trials < 0 {
				return fmt.Errorf("suite %.60q, variant %.60q: trials is %d", s.Name, c.Variant, c.Trials)
			}
			for name, e := range c.Metrics {
				if err := checkEstimate(name, e); err != nil {
					return fmt.Errorf("suite %.60q, variant %.60q: %.60s: %w", s.Name, c.Variant, name, err)
				}
			}
		}
	}
	return nil
}

func checkEstimate(name string, e eval.Estimate) error {
	least, most := -maxMetric, maxMetric
	def, known := metric.Find(name)
	isProportion := known && def.Unit == metric.Share && def.Kind == metric.Proportion
	if isProportion || known && def.Unit == metric.Share && def.Kind == metric.Quotient {
		least, most = 0, 1
	}
	for _, v := range []*float64{e.Value, e.Lo, e.Hi, e.WorstCase, e.BestCase, e.WorstCaseLo, e.BestCaseHi} {
		if v != nil && !(*v >= least-tolerance && *v <= most+tolerance) {
			return fmt.Errorf("%g is not a value from %g to %g", *v, least, most)
		}
	}
	switch {
	case min(e.N, e.Cases, e.Missing, e.Ties) < 0:
		return errors.New("a number of trials or cases is negative")
	case e.Lo != nil && e.Hi != nil && *e.Lo > *e.Hi+tolerance:
		return fmt.Errorf("the interval from %g to %g is reversed", *e.Lo, *e.Hi)
	case isProportion && e.Value != nil && e.Lo != nil && *e.Value < *e.Lo-tolerance,
		isProportion && e.Value != nil && e.Hi != nil && *e.Value > *e.Hi+tolerance:
		return fmt.Errorf("%g is outside its interval", *e.Value)
	}
	return nil
}
