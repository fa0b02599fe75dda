package scholar

import (
	"context"
	"fmt"
	"strings"

	"evalctl/agent/llm"
	"evalctl/agent/system"
)

// Bounds on what a grader is shown, and how long it may take.
const (
	maxFacts       = 50
	maxFact        = 300   // characters
	maxGradeAnswer = 20000 // characters
)

// grades is what the grading model is asked for.
type grades struct {
	Stated []bool `json:"stated"`
}

// newGrader makes who tells which facts an answer states.
func newGrader(prompt llm.Prompt, seed uint64, link system.Endpoint) (system.Grader, error) {
	client, err := link.Client(llm.Config{Node: graderNode, Seed: seed})
	if err != nil {
		return nil, err
	}
	told, err := prompt.Fill(places{})
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, facts [][]string, answer string) ([]bool, error) {
		if len(facts) == 0 || len(facts) > maxFacts {
			return nil, fmt.Errorf("%d facts are not 1 to %d", len(facts), maxFacts)
		}
		asked := llm.Request{Messages: []llm.Message{llm.System(told), llm.User(gradingText(facts, answer))}, Temperature: new(0.0)}
		got, _, err := llm.JSON(ctx, client, asked, llm.Form{Key: "stated"}, func(g *grades) error {
			if len(g.Stated) != len(facts) {
				return &llm.FieldError{Field: "stated", Problem: fmt.Sprintf("has %d verdicts of %d facts", len(g.Stated), len(facts))}
			}
			return nil
		})
		return got.Stated, err
	}, nil
}

// What stands before the facts and the answer that a grader is shown, and between the
// wordings of a fact.
const (
	factsHeading  = "【事实】"
	answerHeading = "【回答】"
	orElse        = " 或 "
)

func gradingText(facts [][]string, answer string) string {
	var b strings.Builder
	b.WriteString(factsHeading + "\n")
	for i, wordings := range facts {
		line := strings.ReplaceAll(strings.Join(wordings, orElse), "\n", " ")
		fmt.Fprintf(&b, "%d. %s\n", i+1, shortened(line, maxFact))
	}
	b.WriteString("\n" + answerHeading + "\n" + shortened(answer, maxGradeAnswer))
	return b.String()
}
