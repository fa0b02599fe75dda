package main

import (
	"slices"

	"evalctl/agent/system"
	"evalctl/eval/suite"
)

// shippedSystems are the systems that have cases of their own.
func shippedSystems() []system.System {
	return slices.DeleteFunc(suite.Systems(), system.System.IsForeign)
}
