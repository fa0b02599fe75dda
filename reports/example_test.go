package reports_test

import (
	"fmt"
	"os"

	"evalctl/eval"
	"evalctl/reports"
	"evalctl/reports/document"
)

func ExampleWrite() {
	accuracy := eval.Estimate{Value: new(0.9), Lo: new(0.744), Hi: new(0.965), N: 30}
	summary := eval.Summary{
		Suites: []eval.SuiteSummary{{
			Name: "toolrouter", Target: "toolrouter", Dataset: "mine.jsonl", Cases: 30, Clock: "simulated",
			Models: []eval.ModelInfo{{Component: "router", Kind: "simulated", Note: "labelled, accuracy 0.93, seed 1"}},
			Conditions: []eval.ConditionSummary{{Variant: "default", Fault: eval.NoFault, Trials: 30,
				Metrics: map[string]eval.Estimate{"route.accuracy": accuracy}}},
		}},
		Gates: []eval.GateVerdict{{Rule: "route.accuracy >= 0.8", Passed: true, Reason: "default: 0.9"}},
	}
	err := reports.Write(os.Stdout, reports.Table,
		reports.Report{Summary: summary, Options: document.Options{Width: 80}})
	if err != nil {
		fmt.Println(err)
	}
	// Output:
	// toolrouter · 30 cases of mine.jsonl · 1 variant · models and time are simulated
	//
	// variant  accuracy [95 %]
	// default  90.0 % [74.4, 96.5]
	//
	// · default is wrong in 3 of 30 cases.
	//
	// Gates: 1 passed
	//
	// ✓ route.accuracy >= 0.8                 default: 0.9
	//
	// 30 trials · no error in evalctl itself
}
