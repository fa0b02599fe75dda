package gate

import (
	"errors"
	"fmt"
	"math"
	"time"

	"evalctl/eval/metric"
)

// limitOf parses the limit of a rule. Its format depends on the metric.
func limitOf(r Rule, word string) (float64, error) {
	switch r.Comparison {
	case Drop:
		return metric.ParsePoints(word)
	case NewFailures:
		v, err := metric.ParseDecimal(word)
		if err != nil || v < 0 || v != math.Trunc(v) {
			return 0, errors.New("expected a number of cases such as 0 here")
		}
		return v, nil
	case Ratio:
		v, err := numberOf(word, metricDef{})
		if err != nil || !(v > 0) {
			return 0, errors.New("expected a ratio such as 1.1 here")
		}
		return v, nil
	}
	f := r.figureOf()
	if f.Unit == metric.Points {
		return metric.ParsePoints(word)
	}
	v, err := numberOf(word, f)
	switch {
	case err != nil || !f.isFraction():
	case !(v >= 0 && v <= 1):
		return 0, outOfRangeError(word, v)
	case r.Op == AtMost && v == 1, r.Op == AtLeast && v == 0:
		return 0, alwaysTrueError(word)
	}
	return v, err
}

// alwaysTrueError returns the error for a limit that always holds. 1 is often meant as 1 %.
func alwaysTrueError(word string) error {
	if word == "1" {
		return errors.New("no share is more than 1: did you mean 1%?")
	}
	return fmt.Errorf("every share keeps %s: did you mean 1%%?", word)
}

// outOfRangeError returns the error for a limit that is outside 0..1 for a metric that is a share.
func outOfRangeError(word string, v float64) error {
	if v > 1 && v <= 100 && metric.IsDecimal(word) {
		return fmt.Errorf("this lies between 0 and 1, did you mean %s%%?", word)
	}
	return errors.New("this lies between 0 and 1")
}

// numberOf parses a number in one of the formats that the metric f permits: a decimal, a percentage
// (not for times, money and counts), or a duration (only for times).
func numberOf(word string, f metricDef) (float64, error) {
	if metric.IsDecimal(word) {
		return metric.ParseDecimal(word)
	}
	if v, err := metric.ParsePercent(word); err == nil {
		return v, percentError(f)
	}
	if d, err := time.ParseDuration(word); err == nil && d >= 0 {
		if !f.isTime() {
			return 0, fmt.Errorf("this metric is not a time, expected a number such as 0.9 or 90%%")
		}
		return inMillis(d), nil
	}
	if f.isTime() {
		return 0, fmt.Errorf("expected a duration such as 3s, or a number of milliseconds, here")
	}
	return 0, fmt.Errorf("expected a number such as 0.9 or 90%% here")
}

// percentError returns an error if the metric f cannot be a percentage.
func percentError(f metricDef) error {
	switch {
	case f.isTime():
		return errors.New("a time has no percentage, expected a duration such as 3s or 500ms")
	case f.Unit == metric.USD:
		return errors.New("this is in US dollars, expected a number such as 0.5")
	case f.isWhole():
		return errors.New("this is a count, expected a number such as 0")
	}
	return nil
}
