package suite

import "embed"

//go:embed *.yaml
var shipped embed.FS

// Shipped names the suites that evalctl ships.
func Shipped() []string { return []string{"toolrouter"} }

// Targets names the agent systems that can be evaluated.
func Targets() []string { return []string{"toolrouter"} }

// Components names the parts of the systems that have a model or a service
// behind them.
func Components() []string { return []string{"router", "chat", "vision", "search", "image"} }

// Routers names the ways in which the tool router may decide.
func Routers() []string { return []string{"rules", "llm", "llm-first"} }
