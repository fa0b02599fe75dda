package companion

import (
	"sync/atomic"
	"time"

	"evalctl/agent"
	"evalctl/agent/cache"
	"evalctl/agent/dates"
)

// run is the state of the agent while it answers one turn.
type run struct {
	config
	intents    *cache.Cache[routerAnswer]
	count      *atomic.Int64
	turn       agent.Turn
	text       string    // all messages of the turn, joined
	batch      []string  // the single messages of the turn
	now        time.Time // in the user's time zone
	namedDates dates.Result
	state      state
	reply      agent.Reply
}
