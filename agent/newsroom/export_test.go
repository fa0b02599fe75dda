package newsroom

import (
	"context"
	"encoding/json"

	"evalctl/agent/llm"
	"evalctl/agent/system"
)

// Internals for the specs.
var (
	CheckBasicPreconditions = func(raw, agent string) (string,
		string) {
		return checkBasicPreconditions(stateOf(raw), agent)
	}
	ShouldContinueSupervisor = shouldContinueSupervisor
	ShouldContinueResearch   = shouldContinueResearch
	ShouldContinueImage      = shouldContinueImage
	ShouldContinueReview     = shouldContinueReview
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

// Route is the result of a decision: the next node, the source, and the reason.
func Route(raw, decided string) (to, by, reason string) {
	r := rules{threshold: defaultQuality, iterations: defaultIterations}.routeFromSupervisor(stateOf(raw), decided)
	return r.to, r.by, r.reason
}

// Backtrack is the agent that improves the lowest score.
func Backtrack(raw string) string {
	low, _ := stateOf(raw).QualityScores.lowest(defaultQuality)
	return low.agent
}

// ShippedPrompts are the built-in prompts, with the supervisor's prompt of that name.
func ShippedPrompts(supervisor string) (Prompts, error) { return Prompts{}.orShipped(supervisor) }

// Status is the status in the supervisor's prompt.
func Status(raw, request string) string {
	return rules{threshold: defaultQuality, iterations: defaultIterations}.status(stateOf(raw),
		(&work{request: request}).requestText())
}

// Decided parses a supervisor's answer.
func Decided(answer string) (next, instructions string) {
	d, _ := llm.Decode(answer, decisionForm, (*decision).shorten)
	return d.NextAgent, d.instructions()
}

// Owners are the agents that write each field.
func Owners() map[string][]string {
	owners := map[string][]string{}
	for _, r := range roles() {
		for _, f := range r.writes {
			owners[f] = append(owners[f], r.name)
		}
	}
	return owners
}

// Reads are the fields in each agent's prompt.
func Reads() map[string][]string {
	reads := map[string][]string{}
	for _, r := range roles() {
		reads[r.name] = r.reads
	}
	return reads
}

// Read stores an agent's answer in an empty state.
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

// Take stores a field on behalf of an agent.
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
