package studio

import "evalctl/agent/graph"

// profileRules are the differences between the profiles.
type profileRules struct {
	flow        func(nodes) []graph.Node[state]
	standard    scoringStandard
	errorTarget string // node that continues after an error, for the trace
}

func (p Profile) rules() profileRules {
	if p == ProfileV1 {
		return profileRules{flow: flowV1, standard: standardV1(), errorTarget: "end"}
	}
	return profileRules{flow: flowV2, standard: standardV2(), errorTarget: errorNode}
}
