package newsroom

import (
	"context"
	"encoding/json"

	"evalctl/agent/llm"
	"evalctl/agent/system"
)

// Internal functions that the tests call.
var (
	CheckBasicPreconditions = func(raw, agent string) (string,
		string) {
		return checkBasicPreconditions(stateOf(raw), agent)
	}
	ShouldContinueSupervisor = shouldContinueSupervisor
	ShouldContinueResearch   = shouldContinueResearch
	ShouldContinueImage      = shouldContinueImage
	ShouldContinueReview     = shouldContinueReview
	Continuation             = continuation
	NextOn                   = simulateNext
	Answer                   = func(s system.SimulatedRequest) system.SimulatedReply { return simulateReview(s) }
)

func stateOf(raw string) *state {
	var s state
	if err := json.Unmarshal([]byte(raw), &s); err != nil {
		panic(err)
	}
	return &s
}

// Route applies the supervisor's decision to a state in JSON. It returns the next node, what made
// the decision, and why it is not followed.
func Route(raw, decided string) (to, by, reason string) {
	r := rules{threshold: defaultQuality, iterations: defaultIterations}.routeFromSupervisor(stateOf(raw), decided)
	return r.to, r.by, r.reason
}

// Backtrack returns the agent that can improve the lowest score of a state in JSON; "" if no score
// is too low.
func Backtrack(raw string) string {
	low, _ := stateOf(raw).QualityScores.lowest(defaultQuality)
	return low.agent
}

// ShippedPrompts returns the built-in prompts, with the supervisor's prompt of this name.
func ShippedPrompts(supervisor string) (Prompts, error) { return Prompts{}.orShipped(supervisor) }

// Status returns the status in the supervisor's prompt for a state in JSON.
func Status(raw, request string) string {
	return rules{threshold: defaultQuality, iterations: defaultIterations}.status(stateOf(raw),
		(&work{request: request}).requestText())
}

// Decided parses an answer of the supervisor. It returns the next agent and the instructions for
// it.
func Decided(answer string) (next, instructions string) {
	d, _ := llm.DecodeAnswer(answer, decisionForm, (*decision).shorten)
	return d.NextAgent, d.instructions()
}

// Owners returns, for each state field, the agents that may write it.
func Owners() map[string][]string {
	owners := map[string][]string{}
	for _, r := range roles() {
		for _, f := range r.writes {
			owners[f] = append(owners[f], r.name)
		}
	}
	return owners
}

// Reads returns, for each agent, the state fields in its prompt.
func Reads() map[string][]string {
	reads := map[string][]string{}
	for _, r := range roles() {
		reads[r.name] = r.reads
	}
	return reads
}

// Read parses an agent's answer and stores its results in an empty state. It returns the state as
// JSON and the number of questions.
func Read(agent, answer string) (stored string, questionCount int, err error) {
	for _, r := range roles() {
		if r.name != agent {
			continue
		}
		results, questions, _, err := r.parseAnswer(context.Background(), answer)
		if err != nil {
			return "", len(questions), err
		}
		var s state
		if err := s.storeResults(agent, r.writes, results); err != nil {
			return "", len(questions), err
		}
		raw, err := json.Marshal(s)
		return string(raw), len(questions), err
	}
	panic("no agent " + agent)
}

// Take stores an empty value in a state field as the result of an agent. It returns an error if the
// agent may not write the field.
func Take(agent, field string) error {
	var s state
	f, _ := s.field(field)
	for _, r := range roles() {
		if r.name == agent {
			return s.storeResults(agent, r.writes, artifacts{field: f.Interface()})
		}
	}
	panic("no agent " + agent)
}
