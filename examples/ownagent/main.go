// Command ownagent evaluates a custom agent from Go, without the evalctl command. It runs the cases
// of a file and prints the report.
package main

import (
	"context"
	"log"
	"os"
	"slices"
	"strings"
	"time"

	"evalctl/agent"
	"evalctl/agent/system"
	"evalctl/agent/trace"
	"evalctl/datasets"
	"evalctl/eval"
	"evalctl/eval/metric"
	"evalctl/eval/scorer"
	"evalctl/eval/target"
	"evalctl/reports"
	"evalctl/reports/document"
)

// desk is the agent to evaluate: it assigns a customer's message to a team by keywords.
func desk(_ context.Context, t agent.Turn, _ func(trace.Event)) (agent.Reply, error) {
	team := "delivery"
	if slices.ContainsFunc([]string{"invoice", "charged", "发票"},
		func(w string) bool { return strings.Contains(t.Text, w) }) {
		team = "billing"
	}
	return agent.Reply{
		Content:    "→ " + team,
		Predicted:  team,
		AnsweredBy: team,
		DecidedBy:  "rules",
	}, nil
}

func main() {
	contract := system.Contract{LabelField: "team", Labels: []string{"billing", "delivery"}}
	cases, err := datasets.Open("cases.jsonl", datasets.Schema{Target: "desk", Contract: contract})
	check(err)
	condition := &eval.Condition{
		Suite:     "desk",
		Variant:   "words",
		Fault:     eval.NoFault,
		Scorers:   []eval.Scorer{scorer.Route{Field: "team"}},
		NewTarget: func(eval.Trial) (eval.Target, error) { return target.FromAgent(agent.Func(desk)), nil },
	}
	trials := func(yield func(eval.Trial, error) bool) {
		for c, err := range cases.Stream(datasets.Filter{}) {
			if !yield(eval.Trial{
				Condition: condition,
				Case:      c,
				Epoch:     1,
				Seed:      1,
			}, err) {
				return
			}
		}
	}
	table := metric.NewCollector(
		[]eval.SuiteSummary{{Name: "desk", Target: "desk", Dataset: "cases.jsonl", Cases: cases.Cases,
			Epochs: 1, Clock: "real",
			Conditions: []eval.ConditionSummary{{Variant: condition.Variant, Fault: condition.Fault}}}})
	check(eval.Runner{Parallel: 4, Timeout: time.Minute}.Run(context.Background(), trials, table))
	check(reports.Write(os.Stdout, reports.Table, reports.Report{Summary: table.Summarize(),
		Options: document.Options{Width: 80}}))
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
