package studio

import "evalctl/agent/graph"

// profileRules contains what differs between the profiles: nodes, retries and the like.
type profileRules struct {
	flow        func(nodes) []graph.Node[state]
	standard    scoringStandard
	errorTarget string // node that the trace names as the next one after an error
}

func (p Profile) rules() profileRules {
	if p == ProfileV1 {
		return profileRules{flow: flowV1, standard: standardV1(), errorTarget: "end"}
	}
	return profileRules{flow: flowV2, standard: standardV2(), errorTarget: errorNode}
}
