package telemetry

import (
	"slices"

	"evalctl/agent/llm"
	"evalctl/agent/system"
	"evalctl/agent/trace"
	"evalctl/eval/runs"
	"evalctl/eval/suite"
)

// operation is a call's gen_ai.operation.name.
type operation string

const (
	chat       operation = "chat"
	embeddings operation = "embeddings"
	retrieval  operation = "retrieval"
	tool       operation = "execute_tool"
)

// works are the parts of a system by the nodes under which their calls stand.
type works map[string][]system.Component

// declared is what a suite's system says of itself.
type declared struct {
	target string
	works  works
}

func systemsOf(run *runs.Run) map[string]declared {
	list := map[string]declared{}
	for _, s := range run.Suites() {
		of, _ := suite.Find(s.Target)
		d := declared{target: s.Target, works: works{}}
		for _, p := range of.Parts {
			d.works[p.NodeName()] = append(d.works[p.NodeName()], p)
		}
		list[s.Name] = d
	}
	return list
}

// operation follows from what is billed, and else from the part whose call it is: what
// works in the process, makes pictures, searches the web without a model or keeps
// what happened is a tool.
func (w works) operation(node string, s *trace.Span) operation {
	parts := w[node]
	does := func(list ...system.Role) bool {
		return slices.ContainsFunc(parts, func(p system.Component) bool { return slices.Contains(list, p.Role) })
	}
	free := slices.ContainsFunc(parts, func(p system.Component) bool { return p.FreeProvider == s.Provider && p.FreeProvider != "" })
	switch {
	case does(system.RoleEmbedding) && s.Tokens.Out == 0:
		return embeddings
	case s.Tokens.Out > 0:
		return chat
	case does(system.RoleRetrieval), slices.ContainsFunc(parts, isLibrary):
		return retrieval
	case free, s.Provider == llm.Baseline, s.Model == "":
		return tool
	case does(system.RoleRouter, system.RoleChat, system.RoleStructured, system.RoleVision, system.RoleCritic, system.RoleGrader, system.RoleSearchModel):
		return chat
	case s.Tokens.In > 0:
		return chat
	}
	return tool
}

// isLibrary tells a store that is named after what it knows, from caches and the like,
// which keep what happened.
func isLibrary(p system.Component) bool {
	return p.Role == system.RoleStore && p.Name == string(system.RoleStore)
}
