package scholar

import (
	"errors"

	"evalctl/agent/search"
)

func engines() []string { return []string{"tavily", "bocha"} }

// newEngine is the engine that the request or the settings name.
func (r *run) newEngine() (search.Engine, error) { return nil, errors.New("not yet") }
