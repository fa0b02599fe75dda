package evaltest_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"evalctl/agent"
	"evalctl/agent/trace"
	"evalctl/eval"
	"evalctl/evaltest"
)

// answer is a custom agent that recognizes one word.
func answer(_ context.Context, t agent.Turn, _ func(trace.Event)) (agent.Reply, error) {
	label := "delivery"
	if strings.Contains(t.Text, "refund") {
		label = "refund"
	}
	return agent.Reply{Content: "→ " + label, Predicted: label, AnsweredBy: label, DecidedBy: "rules"}, nil
}

// In a test, call evaltest.Run(t, suite) and Expect(report).To(evaltest.HaveMetric(…)).
func Example() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	report, err := evaltest.Options{OutDir: filepath.Join(dir, "run")}.RunContext(context.Background(), evaltest.Suite{
		Name:   "desk",
		Agent:  agent.Func(answer),
		Labels: []string{"delivery", "refund"},
		Cases: []eval.Case{
			evaltest.Case("a", "I want a refund", "refund", "lang:en"),
			evaltest.Case("b", "where is my parcel", "delivery", "lang:en"),
			evaltest.Case("c", "我要退款", "refund", "lang:zh"),
		},
		Gates: []string{"route.accuracy >= 60%"},
	})
	if err != nil {
		panic(err)
	}
	accurate, err := evaltest.HaveMetric("route.accuracy{tag=lang:zh}", 1.0).Match(report)
	fmt.Println(report.Summary.Gates[0].Reason)
	fmt.Println("Chinese:", accurate, err)
	// Output:
	// 66.7 % [20.8, 93.9] (n=3) in suite desk, variant desk, fault none
	// Chinese: false <nil>
}
