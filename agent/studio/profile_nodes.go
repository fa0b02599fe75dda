package studio

import "evalctl/agent/graph"

// profileRules contains the differences between the profiles.
type profileRules struct {
	flow        func(nodes) []graph.Node[state]
	standard    standard
	errorTarget string // node that handles errors
}

func (p Profile) rules() profileRules {
	if p == V1 {
		return profileRules{flow: flowV1, standard: standardV1(), errorTarget: "end"}
	}
	return profileRules{flow: flowV2, standard: standardV2(), errorTarget: errorNode}
}
