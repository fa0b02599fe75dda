package backend

import (
	"encoding/json"
	"slices"
	"strings"

	"evalctl/agent"
	"evalctl/agent/system"
	"evalctl/mocks/model"
	"evalctl/mocks/random"
)

// declaredAnswers is the simulated model of a component whose system defines how to simulate it
// (system.Component.Simulate).
type declaredAnswers struct {
	part  system.Component
	turns *caseTurns
	seed  uint64
}

var _ model.Model = declaredAnswers{}

func (s declaredAnswers) Answer(r model.Request) model.Answer {
	step, nth, ok := s.turns.countCall(r, callKey{part: s.part.Name})
	text := lastLine(r.Text)
	if ok {
		text = step.Text
	}
	seed := textSeed(s.seed, s.part, text, nth)
	if r.Position != (model.CallPosition{}) {
		seed = r.Position.Seed(s.seed, s.part.Name)
	}
	return simulateReply(s.part, r, text, step.Expected, nth, seed)
}

// textSeed returns the seed of a component's nth answer to a text outside a trial.
func textSeed(seed uint64, part system.Component, text string, nth int) uint64 {
	return random.Mix(random.Hash(seed, part.Name+"\x00"+text), uint64(nth))
}

// simulateReply returns the answer that the component's system defines for a request. text is the
// user's message, if known. nth is the number of the component's call for this message.
func simulateReply(part system.Component, r model.Request, text string, expected json.RawMessage, nth int,
	seed uint64) model.Answer {
	about := r
	about.Text = text
	reply := part.Simulate(system.SimulatedRequest{
		System:      systemPrompt(r),
		Text:        r.Text,
		History:     historyOf(r),
		SampleText:  model.SampleText(about, seed),
		Tools:       r.Tools,
		ToolResults: toolResultCount(r),
		CallNumber:  nth,
		Expected:    expected,
		Seed:        seed,
	})
	a := model.Answer{Content: reply.Content}
	for _, call := range reply.Calls {
		if slices.Contains(r.Tools, call.Name) { // like a real model, call only tools that the request offers
			a.ToolCalls = append(a.ToolCalls, model.ToolCall{Name: call.Name, Arguments: call.Input})
		}
	}
	return a
}

// lastLine returns the last line of a user message. A prompt may put a heading before the user's
// text.
func lastLine(message string) string {
	message = strings.TrimSpace(message)
	return message[strings.LastIndexByte(message, '\n')+1:]
}

func systemPrompt(r model.Request) string {
	var b strings.Builder
	for _, m := range r.Messages {
		if m.Role == "system" {
			b.WriteString(m.Text + "\n")
		}
	}
	return b.String()
}

// historyOf returns the messages between the first message (the instructions) and the last one.
func historyOf(r model.Request) (list []agent.Message) {
	for i, m := range r.Messages {
		if i > 0 && i < len(r.Messages)-1 {
			list = append(list, agent.Message{Role: m.Role, Content: m.Text})
		}
	}
	return list
}

// toolResultCount returns the number of tool results since the last user message.
func toolResultCount(r model.Request) (n int) {
	for _, m := range r.Messages {
		switch m.Role {
		case "user":
			n = 0
		case "tool":
			n++
		}
	}
	return n
}
