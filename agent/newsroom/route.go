package newsroom

import (
	"slices"

	"evalctl/agent"
)

// end is the supervisor's decision that the work is finished.
const end = "END"

// Names of the supervisor and the agents in decisions and traces.
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

// DecisionLabels returns the labels that the supervisor can choose: the eight agents, then the end.
func DecisionLabels() []string {
	return []string{briefAgent, researchAgent, referenceAgent, layoutAgent, imagePlanAgent, writerAgent,
		imageAgent, reviewAgent, end}
}

// Values of Step.DecidedBy: what made a decision.
const (
	byLLM          = "llm"
	byPrecondition = "precondition"
	byReview       = "review"
	byLimit        = "max_iterations"
)

// Values of Step.Reason: why a decision of the supervisor is not followed.
const (
	unknownAgent  = "unknown_agent"
	noDecision    = "no_decision"
	endRefused    = "end_rejected"
	maxIterations = agent.ReasonMaxIterations
)

// rules are the limits for the work on one request.
type rules struct {
	threshold  float64 // lowest score in every quality dimension with which the work may end
	iterations int     // maximum number of supervisor decisions, if the state has no limit of its own
}

func (r rules) limit(s *state) int {
	if s.MaxIterations > 0 {
		return s.MaxIterations
	}
	return r.iterations
}

// iteration returns the number of the supervisor's next decision for messages to the user: n, but at
// most the limit.
func (r rules) iteration(n int, s *state) int { return min(n, r.limit(s)) }

// mayEnd reports whether the work may end. by is the reason: the supervisor's decision after an
// approval, or the limit of decisions.
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

// route is where a decision leads: to an agent, to the end, or back to the supervisor, which
// decides again.
type route struct {
	to          string
	by          string
	reason      string // why the decision is not followed; "": it is followed
	corrections []correction
}

// correction records that one destination was replaced by another, and why.
type correction struct{ from, to, reason string }

// routeFromSupervisor applies the supervisor's decision; decided is "" if there is none. It does
// not follow the decision to end too early, or an agent whose input is missing. At the limit of
// decisions the work always ends.
func (r rules) routeFromSupervisor(s *state, decided string) route {
	by, _ := r.mayEnd(s)
	switch known := slices.Contains(DecisionLabels(), decided); {
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

// corrected replaces an agent whose input is missing by the agent that produces the input, until
// nothing is missing. Its reason is the reason of the first replacement.
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

// checkBasicPreconditions returns the agent that must run first if an input of agent is missing,
// and the reason. Both are "" if nothing is missing.
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
