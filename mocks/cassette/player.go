package cassette

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"time"

	"evalctl/agent/clock"
)

// Player answers in the place of providers, from what was recorded. It is safe for
// concurrent use.
type Player struct {
	Cassette *Cassette
	Redact   func(string) string // as when it was recorded

	mu     sync.Mutex
	misses int64
	first  *Miss // by trial, whoever was played first
}

// Miss is the error of a request that was never recorded, or only in part.
type Miss struct {
	Who     TrialRef
	Epoch   int
	Request Request
	Nearest string // what comes nearest, and how it differs
	Damage  error  // of a recording that is there and cannot be read; nil: there is none
}

func (m *Miss) Error() string {
	what, why := "no recording", m.Nearest
	if m.Damage != nil {
		what, why = "no readable recording", m.Damage.Error()
	}
	return fmt.Sprintf("%s of %s %s, which %s asks in case %s (variant %s, epoch %d): %s",
		what, m.Request.Method, m.Request.Path, m.Who.Component, m.Who.Case, m.Who.Variant, m.Epoch, why)
}

// Transport answers one part of a trial, in an epoch from 1. missed hears of what was
// never recorded; nil: nobody does.
func (p *Player) Transport(who TrialRef, epoch int, missed func(*Miss)) http.RoundTripper {
	return &playing{from: p, who: who, epoch: epoch, missed: missed}
}

// Misses is how many requests had no recording, and the first of them by the names of
// who asked.
func (p *Player) Misses() (n int64, first *Miss) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.misses, p.first
}

func (p *Player) miss(m *Miss) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.misses++
	if p.first == nil || m.before(p.first) {
		p.first = m
	}
}

func (m *Miss) before(o *Miss) bool {
	return m.Who.order(m.Epoch) < o.Who.order(o.Epoch)
}

// playing stands in the place of the way out of a trial's part.
type playing struct {
	from   *Player
	who    TrialRef
	epoch  int
	missed func(*Miss)
	counts counter
}

var _ http.RoundTripper = (*playing)(nil)

// RoundTrip answers when the recorded answer began.
func (t *playing) RoundTrip(r *http.Request) (*http.Response, error) {
	ctx := r.Context()
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	q, _, err := RequestOf(r, t.from.Redact)
	if err != nil {
		return nil, err
	}
	key, loose := q.Key(t.epoch), q.KeyWithoutTimes(t.epoch)
	nth := t.counts.next(loose)
	c := t.from.Cassette
	i := c.find(t.who, t.epoch, nth, key, loose)
	if i < 0 {
		return nil, t.miss(&Miss{Request: q, Nearest: c.nearest(t.who, t.epoch, nth, q, key)})
	}
	e, err := c.read(i)
	if err != nil {
		return nil, t.miss(&Miss{Request: q, Damage: err})
	}
	return t.answer(r, q, e)
}

func (t *playing) miss(m *Miss) *Miss {
	m.Who, m.Epoch = t.who, t.epoch
	t.from.miss(m)
	if t.missed != nil {
		t.missed(m)
	}
	return m
}

// grace is how much longer than the one who was recorded somebody may wait for an answer
// that he left: clocks are not that exact.
const grace = time.Second

func (t *playing) answer(r *http.Request, q Request, e Exchange) (*http.Response, error) {
	ctx, cancel := context.WithCancel(r.Context())
	b := &playedBody{ctx: ctx, cancel: cancel, begin: clock.Now(ctx), from: e.Response}
	b.beyond = func() error {
		return t.miss(&Miss{Request: q, Nearest: fmt.Sprintf("who was recorded left after %v, and the recording ends there", micros(e.Response.EndedAfter))})
	}
	if e.Response.Status == 0 {
		defer cancel()
		return nil, b.over()
	}
	if err := b.until(e.Response.HeadersAfter); err != nil {
		cancel()
		return nil, err
	}
	h := http.Header{}
	for name, value := range e.Response.Headers {
		h.Set(name, value)
	}
	return &http.Response{Status: fmt.Sprintf("%d %s", e.Response.Status, http.StatusText(e.Response.Status)), StatusCode: e.Response.Status,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Header: h, ContentLength: -1, Body: b, Request: r}, nil
}

func micros(n int64) time.Duration { return time.Duration(n) * time.Microsecond }
