package telemetry

import (
	"slices"

	"evalctl/agent/llm"
	"evalctl/agent/system"
	"evalctl/agent/trace"
	"evalctl/eval/runs"
	"evalctl/eval/suite"
)

// operation is the kind of a call, as the value of the attribute gen_ai.operation.name.
type operation string

const (
	chat       operation = "chat"
	embeddings operation = "embeddings"
	retrieval  operation = "retrieval"
	tool       operation = "execute_tool"
)

// nodeComponents maps the name of a node to the components that are called in it.
type nodeComponents map[string][]system.Component

// systemInfo describes the system that a suite evaluates: its name and the components of its nodes.
type systemInfo struct {
	target string
	works  nodeComponents
}

func systemsOf(run *runs.Run) map[string]systemInfo {
	list := map[string]systemInfo{}
	for _, s := range run.Suites() {
		d := systemInfo{target: s.Target, works: nodeComponents{}}
		for _, target := range s.Targets() {
			of, _ := suite.FindSystem(target)
			for _, p := range of.Components {
				d.works[p.NodeName()] = append(d.works[p.NodeName()], p)
			}
		}
		list[s.Name] = d
	}
	return list
}

// operation returns the kind of a call. It depends on the roles of the node's components, on the
// token counts and on the provider. Calls that run in the process, generate images, search the web
// without a model, or store data are tool calls.
func (w nodeComponents) operation(node string, s *trace.Span) operation {
	parts := w[node]
	does := func(list ...system.Role) bool {
		return slices.ContainsFunc(parts, func(p system.Component) bool { return slices.Contains(list, p.Role) })
	}
	free := slices.ContainsFunc(parts,
		func(p system.Component) bool { return p.LocalProviderName == s.Provider && p.LocalProviderName != "" })
	switch {
	case does(system.RoleEmbedding) && s.Tokens.Out == 0:
		return embeddings
	case s.Tokens.Out > 0:
		return chat
	case does(system.RoleRetrieval), slices.ContainsFunc(parts, isLibrary):
		return retrieval
	case free, s.Provider == llm.BaselineProvider, s.Model == "":
		return tool
	case does(system.RoleRouter, system.RoleChat, system.RoleStructured, system.RoleVision, system.RoleCritic,
		system.RoleGrader, system.RoleSearchModel):
		return chat
	case s.Tokens.In > 0:
		return chat
	}
	return tool
}

// isLibrary reports whether the component is a store of knowledge that can be searched. Caches and
// similar stores are not libraries.
func isLibrary(p system.Component) bool {
	return p.Role == system.RoleStore && p.Name == string(system.RoleStore)
}
