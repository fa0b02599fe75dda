package studio

import "evalctl/agent/graph"

// edition is what a profile does in its own way.
type edition struct {
	flow     func(nodes) []graph.Node[state]
	standard standard
	end      string // who answers for a failure
}

func (p Profile) edition() edition {
	if p == V1 {
		return edition{flow: flowV1, standard: standardV1(), end: "end"}
	}
	return edition{flow: flowV2, standard: standardV2(), end: errorNode}
}
