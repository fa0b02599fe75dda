package fleet

import (
	"sync"
	"time"
)

// lonely is since when nobody plays, and whether that was told.
type lonely struct {
	since time.Time // a later one puts off the next line
	told  bool
}

// How long nobody plays until that is told: first, and then what to do.
const (
	firstLonely = time.Second
	longLonely  = 15 * time.Second
)

// refusals are why workers do not play.
type refusals struct {
	mu    sync.Mutex
	count int
	last  string
}

func (r *refusals) add(text string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.count, r.last = r.count+1, text
}
