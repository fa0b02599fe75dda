package newsroom

import (
	"context"
	"encoding/json"

	"evalctl/agent/llm"
	"evalctl/agent/system"
)

// What the specs look into.
var (
	CheckBasicPreconditions  = func(raw, agent string) (string, string) { return checkBasicPreconditions(stateOf(raw), agent) }
	ShouldContinueSupervisor = shouldContinueSupervisor
	ShouldContinueResearch   = shouldContinueResearch
	ShouldContinueImage      = shouldContinueImage
	ShouldContinueReview     = shouldContinueReview
	NextOn                   = nextOn
	Answer                   = func(s system.SimulatedRequest) system.SimulatedReply { return saysReview(s) }
)

func stateOf(raw string) *state {
	var s state
	if err := json.Unmarshal([]byte(raw), &s); err != nil {
		panic(err)
	}
	return &s
}

// Route is where a decision leads, who says so, and why.
func Route(raw, decided string) (to, by, reason string) {
	r := rules{threshold: defaultQuality, iterations: defaultIterations}.routeFromSupervisor(stateOf(raw), decided)
	return r.to, r.by, r.reason
}

// Backtrack is the agent that scores point to.
func Backtrack(raw string) string {
	low, _ := stateOf(raw).QualityScores.lowest(defaultQuality)
	return low.agent
}

// ShippedPrompts are those with the supervisor's of that name.
func ShippedPrompts(supervisor string) (Prompts, error) { return Prompts{}.orShipped(supervisor) }

// Status is what the supervisor is shown.
func Status(raw, request string) string {
	return rules{threshold: defaultQuality, iterations: defaultIterations}.status(stateOf(raw), (&work{request: request}).wish())
}

// Decided reads a supervisor's answer.
func Decided(answer string) (next, told string) {
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

// Reads are the fields that each agent is shown.
func Reads() map[string][]string {
	reads := map[string][]string{}
	for _, r := range roles() {
		reads[r.name] = r.reads
	}
	return reads
}

// Read takes an agent's answer into an empty state.
func Read(agent, answer string) (kept string, asked int, err error) {
	for _, r := range roles() {
		if r.name != agent {
			continue
		}
		made, questions, _, err := r.read(context.Background(), answer)
		if err != nil {
			return "", len(questions), err
		}
		var s state
		if err := s.take(agent, r.writes, made); err != nil {
			return "", len(questions), err
		}
		raw, err := json.Marshal(s)
		return string(raw), len(questions), err
	}
	panic("no agent " + agent)
}

// Take has an agent write a field.
func Take(agent, field string) error {
	var s state
	f, _ := s.field(field)
	for _, r := range roles() {
		if r.name == agent {
			return s.take(agent, r.writes, artefacts{field: f.Interface()})
		}
	}
	panic("no agent " + agent)
}
