package studio

import "evalctl/agent/graph"

// edition contains the differences between the profiles.
type edition struct {
	flow     func(nodes) []graph.Node[state]
	standard standard
	end      string // node that handles errors
}

func (p Profile) edition() edition {
	if p == V1 {
		return edition{flow: flowV1, standard: standardV1(), end: "end"}
	}
	return edition{flow: flowV2, standard: standardV2(), end: errorNode}
}
