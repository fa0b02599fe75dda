package newsroom

import (
	"slices"

	"evalctl/agent"
)

// end is the decision that the work is finished.
const end = "END"

// The names of the agents and the supervisor in decisions, traces and paths.
const (
	supervisorNode = "supervisor"
	briefAgent     = "brief_compiler_agent"
	researchAgent  = "research_evidence_agent"
	referenceAgent = "reference_intelligence_agent"
	layoutAgent    = "layout_planner_agent"
	imagePlanAgent = "image_planner_agent"
	writerAgent    = "writer_agent"
	imageAgent     = "image_agent"
	reviewAgent    = "review_agent"
)

// Decisions are the labels of the supervisor's decision, the end last.
func Decisions() []string {
	return []string{briefAgent, researchAgent, referenceAgent, layoutAgent, imagePlanAgent, writerAgent,
		imageAgent, reviewAgent, end}
}

// Sources of a step.
const (
	byLLM          = "llm"
	byPrecondition = "precondition"
	byReview       = "review"
	byLimit        = "max_iterations"
)

// Reasons why a decision is not followed.
const (
	unknownAgent  = "unknown_agent"
	noDecision    = "no_decision"
	endRefused    = "end_rejected"
	maxIterations = agent.ReasonMaxIterations
)

// rules are the limits of an episode.
type rules struct {
	threshold  float64 // minimum score of every quality dimension
	iterations int     // maximum decisions of the supervisor, if the state has no limit
}

func (r rules) limit(s *state) int {
	if s.MaxIterations > 0 {
		return s.MaxIterations
	}
	return r.iterations
}

// iteration is the number of decisions to report, at most the limit.
func (r rules) iteration(n int, s *state) int { return min(n, r.limit(s)) }

// mayEnd reports whether the work may end, and the source of that decision.
func (r rules) mayEnd(s *state) (by string, ok bool) {
	switch {
	case s.isApproved(r.threshold):
		return byLLM, true
	case s.IterationCount >= r.limit(s):
		return byLimit, true
	default:
		return "", false
	}
}

// route is the result of a decision: an agent, the end, or the supervisor, which decides again.
type route struct {
	to          string
	by          string
	reason      string // why the decision is not followed; "": it is
	corrections []correction
}

// correction replaces one agent by another.
type correction struct{ from, to, reason string }

// routeFromSupervisor applies a decision of the supervisor; "": none. The decision is not followed
// in three cases: a premature end, an agent whose precondition is not met, and the limit of
// iterations. At the limit the work always ends.
func (r rules) routeFromSupervisor(s *state, decided string) route {
	by, _ := r.mayEnd(s)
	switch known := slices.Contains(Decisions(), decided); {
	case decided == end && by == byLLM:
		return route{to: end, by: byLLM}
	case s.IterationCount >= r.limit(s):
		return route{to: end, by: byLimit, reason: maxIterations}
	case decided == "":
		return route{to: supervisorNode, by: byLLM, reason: noDecision}
	case !known:
		return route{to: supervisorNode, by: byLLM, reason: unknownAgent}
	case decided == end:
		return route{
			to:          supervisorNode,
			by:          byPrecondition,
			reason:      endRefused,
			corrections: []correction{{end, supervisorNode, endRefused}},
		}
	}
	return corrected(s, decided)
}

// corrected follows the preconditions from the decided agent to one whose preconditions are met.
// The reason is that of the first correction.
func corrected(s *state, decided string) route {
	at := route{to: decided, by: byLLM}
	for {
		fallback, reason := checkBasicPreconditions(s, at.to)
		if reason == "" {
			return at
		}
		at.corrections = append(at.corrections, correction{at.to, fallback, reason})
		at.to = fallback
		at.by = byPrecondition
		at.reason = at.corrections[0].reason
	}
}

// checkBasicPreconditions is the agent that must run before one whose precondition is not met, and
// the reason; "" if the precondition is met.
func checkBasicPreconditions(s *state, agent string) (fallback, reason string) {
	switch {
	case agent == writerAgent && !s.hasBrief():
		return briefAgent, "needs_brief"
	case agent == reviewAgent && !s.hasBody():
		return writerAgent, "needs_content"
	case agent == imageAgent && len(s.ImagePlans) == 0:
		return imagePlanAgent, "needs_image_plans"
	}
	return "", ""
}
