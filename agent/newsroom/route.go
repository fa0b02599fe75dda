package newsroom

import (
	"slices"

	"evalctl/agent"
)

// end is the decision that the work is done.
const end = "END"

// The agents and the supervisor, as decisions, traces and paths name them.
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

// Decisions are what the supervisor may decide, the end last.
func Decisions() []string {
	return []string{briefAgent, researchAgent, referenceAgent, layoutAgent, imagePlanAgent, writerAgent, imageAgent, reviewAgent, end}
}

// Who decides on a step.
const (
	byLLM          = "llm"
	byPrecondition = "precondition"
	byReview       = "review"
	byLimit        = "max_iterations"
)

// Why a step is not what was asked.
const (
	unknownAgent  = "unknown_agent"
	noDecision    = "no_decision"
	endRefused    = "end_rejected"
	maxIterations = agent.ReasonMaxIterations
)

// rules are the bounds of an episode.
type rules struct {
	threshold  float64 // of every quality dimension
	iterations int     // decisions of the supervisor, where the state does not say
}

func (r rules) limit(s *state) int {
	if s.MaxIterations > 0 {
		return s.MaxIterations
	}
	return r.iterations
}

// iteration is a count of decisions as it is told, no more than there may be.
func (r rules) iteration(n int, s *state) int { return min(n, r.limit(s)) }

// mayEnd tells whether the work may end, and who says so.
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

// route is where a decision leads: to an agent, to the end, or to the supervisor,
// that decides again.
type route struct {
	to          string
	by          string
	reason      string // why it is not what was decided; "": it is
	corrections []correction
}

// correction is that one is sent in the place of another.
type correction struct{ from, to, reason string }

// routeFromSupervisor takes what the supervisor has decided, "" for nothing. Its
// word is law, but for an end that may not be, a want that is plain, and the limit
// of iterations, at which the work ends whatever it says.
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
		return route{to: supervisorNode, by: byPrecondition, reason: endRefused,
			corrections: []correction{{end, supervisorNode, endRefused}}}
	}
	return corrected(s, decided)
}

// corrected follows the wants of the decided agent down to one who wants nothing.
// Its reason is that of the first.
func corrected(s *state, decided string) route {
	at := route{to: decided, by: byLLM}
	for {
		fallback, reason := checkBasicPreconditions(s, at.to)
		if reason == "" {
			return at
		}
		at.corrections = append(at.corrections, correction{at.to, fallback, reason})
		at.to, at.by, at.reason = fallback, byPrecondition, at.corrections[0].reason
	}
}

// checkBasicPreconditions is who must come before an agent that lacks what it
// cannot work without, and why; "" where it lacks nothing.
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
