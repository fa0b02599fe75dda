package companion

import (
	"sync/atomic"
	"time"

	"evalctl/agent"
	"evalctl/agent/cache"
	"evalctl/agent/companion/dates"
)

// run is one turn being answered.
type run struct {
	config
	intents *cache.Cache[judged]
	count   *atomic.Int64
	turn    agent.Turn
	text    string    // all messages of the turn
	batch   []string  // each of them
	now     time.Time // in the user's zone
	named   dates.Result
	state   state
	reply   agent.Reply
}
