package finding

import (
	"evalctl/eval"
	"evalctl/eval/metric"
)

// USDPer1000Cases returns the cost of 1,000 cases in US dollars. It returns false if the cost of some
// trials is unknown.
func USDPer1000Cases(c eval.ConditionSummary) (float64, bool) {
	e := c.Metrics["cost.usd_per_1000"]
	if !metric.IsKnown(e.Value) || e.Missing > 0 {
		return 0, false
	}
	return *e.Value, true
}

// cost returns the finding that the most expensive variant costs at least twice as much as the
// cheapest. It ignores baseline models, because they cost nothing.
func cost(s suite) *Sentence {
	var dear, cheap eval.ConditionSummary
	var most, least float64
	n := 0
	for _, c := range ConditionsWithoutFault(s.SuiteSummary) {
		v, ok := USDPer1000Cases(c)
		if !ok || c.BaselineModel {
			continue
		}
		if n == 0 || v > most {
			dear, most = c, v
		}
		if n == 0 || v < least {
			cheap, least = c, v
		}
		n++
	}
	if n < 2 || most == 0 || most < 2*least {
		return nil
	}
	out := &Sentence{Kind: KindCost}
	out.addVariants(dear.Variant)
	out.add(" costs USD " + metric.FormatUSD(most) + " per 1,000 cases, ")
	if least == 0 {
		out.addVariants(cheap.Variant)
		out.add(" costs nothing")
		return out
	}
	out.add(times(most/least) + " times as much as ")
	out.addVariants(cheap.Variant)
	return out
}

func times(v float64) string {
	if v < 9.95 {
		return metric.FormatRatio(v)
	}
	return metric.FormatRounded(v)
}
