package studio

import (
	"context"

	"evalctl/agent/graph"
	"evalctl/agent/llm"
)

// Profile is a version of the studio's design.
type Profile string

// The profiles.
const (
	V2 Profile = "v2"
	V1 Profile = "v1"
)

// Profiles lists both.
func Profiles() []Profile { return []Profile{V2, V1} }

// edition is what a profile does differently besides its flow.
type edition struct {
	nodes     func(*Agent) []graph.Node[state]
	heuristic func(a *Agent, s *state) verdict
	grade     func(verdict) quality
	retries   int    // how often the critic may send the work back
	back      string // where it sends it
	on        string // where it hands it on
	end       string // who answers for a failure
}

func (p Profile) edition() edition {
	if p == V1 {
		return edition{nodes: (*Agent).flowV1, heuristic: heuristicV1, grade: gradeV1,
			retries: 2, back: executor, on: "end", end: "end"}
	}
	return edition{nodes: (*Agent).flowV2, heuristic: heuristicV2, grade: gradeV2,
		retries: 3, back: rag, on: genUI, end: errorHandler}
}

// PaintRetries is how often a picture that could not be painted is tried
// again, for the Retries of a Painter's client.
func PaintRetries(p Profile) int {
	if p == V1 {
		return llm.NoRetries
	}
	return 3
}

// rescued makes a node's error the turn's, and goes on at next.
func rescued(node, next string) func(*state, error) (string, bool) {
	return func(s *state, err error) (string, bool) {
		s.Error = failureOf(node, err)
		return next, true
	}
}

// run is a node's work.
type run = func(context.Context, *state) error
