package cassette

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"time"

	"evalctl/agent/clock"
)

// Player replays recorded answers, so that no provider is called. It is safe for concurrent use.
type Player struct {
	Cassette *Cassette // the recordings to replay
	// removes secrets from requests; must be the function used while recording; may be nil
	Redact func(string) string

	mu     sync.Mutex
	misses int64
	first  *Miss // the first miss in the order of trials, regardless of when it occurred
}

// Miss is the error that a replay returns for a request without a usable recording.
type Miss struct {
	Trial            TrialRef // trial and component that sent the request
	Epoch            int      // epoch of the trial, from 1
	Request          Request
	NearestRecording string // the most similar recording and how it differs, for the message
	ReadErr          error  // the error of an unreadable recording; nil: there is no recording
}

func (m *Miss) Error() string {
	what, why := "no recording", m.NearestRecording
	if m.ReadErr != nil {
		what, why = "no readable recording", m.ReadErr.Error()
	}
	return fmt.Sprintf("%s of %s %s, which %s asks in case %s (variant %s, epoch %d): %s",
		what, m.Request.Method, m.Request.Path, m.Trial.Component, m.Trial.Case, m.Trial.Variant, m.Epoch, why)
}

// Transport returns an http.RoundTripper that replays the answers to the requests of one component
// in one trial (epochs count from 1). missed is called for each request without a recording; it may
// be nil.
func (p *Player) Transport(trial TrialRef, epoch int, missed func(*Miss)) http.RoundTripper {
	return &replayTransport{
		player: p,
		trial:  trial,
		epoch:  epoch,
		missed: missed,
	}
}

// Misses returns how many requests had no recording, and the first of them in the order of trials.
func (p *Player) Misses() (n int64, first *Miss) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.misses, p.first
}

func (p *Player) miss(m *Miss) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.misses++
	if p.first == nil || m.less(p.first) {
		p.first = m
	}
}

func (m *Miss) less(o *Miss) bool {
	return m.Trial.order(m.Epoch) < o.Trial.order(o.Epoch)
}

// replayTransport is the http.RoundTripper that Player.Transport returns.
type replayTransport struct {
	player *Player
	trial  TrialRef
	epoch  int
	missed func(*Miss)
	counts counter
}

var _ http.RoundTripper = (*replayTransport)(nil)

// RoundTrip returns the recorded response to a request, with the delay that the headers had in the
// recording. It returns a *Miss if there is no recording.
func (t *replayTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	ctx := r.Context()
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	q, _, err := ReadRequest(r, t.player.Redact)
	if err != nil {
		return nil, err
	}
	key, keyWithoutTimes := q.Key(t.epoch), q.KeyWithoutTimes(t.epoch)
	nth := t.counts.next(keyWithoutTimes)
	c := t.player.Cassette
	i := c.find(t.trial, t.epoch, nth, key, keyWithoutTimes)
	if i < 0 {
		return nil, t.miss(&Miss{Request: q, NearestRecording: c.describeNearest(t.trial, t.epoch, nth, q, key)})
	}
	e, err := c.read(i)
	if err != nil {
		return nil, t.miss(&Miss{Request: q, ReadErr: err})
	}
	return t.answer(r, q, e)
}

func (t *replayTransport) miss(m *Miss) *Miss {
	m.Trial, m.Epoch = t.trial, t.epoch
	t.player.miss(m)
	if t.missed != nil {
		t.missed(m)
	}
	return m
}

// cancelTolerance applies if the recorded client canceled the answer. A replaying client may wait
// this much longer before its request counts as a Miss, because clocks are not exact.
const cancelTolerance = time.Second

func (t *replayTransport) answer(r *http.Request, q Request, e Exchange) (*http.Response, error) {
	ctx, cancel := context.WithCancel(r.Context())
	b := &replayedBody{
		ctx:      ctx,
		cancel:   cancel,
		begin:    clock.Now(ctx),
		response: e.Response,
	}
	b.onBeyond = func() error {
		return t.miss(&Miss{Request: q,
			NearestRecording: fmt.Sprintf("who was recorded left after %v, and the recording ends there",
				micros(e.Response.EndMicros))})
	}
	if e.Response.Status == 0 {
		defer cancel()
		return nil, b.waitEnd()
	}
	if err := b.waitUntil(e.Response.HeadersMicros); err != nil {
		cancel()
		return nil, err
	}
	h := http.Header{}
	for name, value := range e.Response.Headers {
		h.Set(name, value)
	}
	return &http.Response{
		Status:        fmt.Sprintf("%d %s", e.Response.Status, http.StatusText(e.Response.Status)),
		StatusCode:    e.Response.Status,
		Proto:         "HTTP/1.1",
		ProtoMajor:    1,
		ProtoMinor:    1,
		Header:        h,
		ContentLength: -1,
		Body:          b,
		Request:       r,
	}, nil
}

func micros(n int64) time.Duration { return time.Duration(n) * time.Microsecond }
