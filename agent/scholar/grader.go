package scholar

import (
	"context"
	"fmt"
	"strings"

	"evalctl/agent/llm"
	"evalctl/agent/system"
)

// Limits on the input of the grading model.
const (
	maxFacts       = 50
	maxFact        = 300   // in characters
	maxGradeAnswer = 20000 // in characters
)

// grades is the grading model's answer: for each fact, whether the answer contains it.
type grades struct {
	Stated []bool `json:"stated"`
}

// newGrader returns a function that uses a model to check which facts an answer states.
func newGrader(prompt llm.Prompt, seed uint64, link system.Endpoint) (system.Grader, error) {
	client, err := link.NewClient(llm.Config{Node: graderNode, Seed: seed})
	if err != nil {
		return nil, err
	}
	systemPrompt, err := prompt.Fill(promptData{})
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, facts [][]string, answer string) ([]bool, error) {
		if len(facts) == 0 || len(facts) > maxFacts {
			return nil, fmt.Errorf("%d facts are not 1 to %d", len(facts), maxFacts)
		}
		asked := llm.Request{Messages: []llm.Message{llm.SystemMessage(systemPrompt),
			llm.UserMessage(gradingText(facts, answer))},
			Temperature: new(0.0)}
		got, _, err := llm.ChatJSON(ctx, client, asked, llm.AnswerSpec{Key: "stated"}, func(g *grades) error {
			if len(g.Stated) != len(facts) {
				return &llm.FieldError{Field: "stated",
					Problem: fmt.Sprintf("has %d verdicts of %d facts", len(g.Stated), len(facts))}
			}
			return nil
		})
		return got.Stated, err
	}, nil
}

// Parts of the request to the grading model: the headings of the facts and of the answer, and the
// separator between alternative wordings of a fact.
const (
	factsHeading     = "【事实】"
	answerHeading    = "【回答】"
	wordingSeparator = " 或 "
)

func gradingText(facts [][]string, answer string) string {
	var b strings.Builder
	b.WriteString(factsHeading + "\n")
	for i, wordings := range facts {
		line := strings.ReplaceAll(strings.Join(wordings, wordingSeparator), "\n", " ")
		fmt.Fprintf(&b, "%d. %s\n", i+1, shortened(line, maxFact))
	}
	b.WriteString("\n" + answerHeading + "\n" + shortened(answer, maxGradeAnswer))
	return b.String()
}
