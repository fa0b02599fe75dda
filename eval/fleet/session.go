package fleet

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"sync"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"evalctl/agent/clock"
	"evalctl/eval"
)

// session is the work of one worker on one run.
type session struct {
	runStreams
	worker        Worker
	job           Job
	outgoing      chan packedResult  // results to be sent to the broker
	leaseConsumer jetstream.Consumer // source of the leases; nil: not opened yet
	hasRun        bool

	mu         sync.Mutex
	heldLeases map[uint64]*assignment
	byKey      map[string][]leasedTrial
	now        state     // last known state of the run
	lastSeen   time.Time // last time at which this process was known to be running
	suspended  bool      // the process was suspended for so long that its leases expired
}

// assignment is a set of trials that the worker leases: no other worker runs them until the lease
// expires. It contains the trials that have no stored result yet.
type assignment struct {
	msg  jetstream.Msg
	seq  uint64
	left map[int64]struct{}
}

// leasedTrial identifies a trial by its lease and its position in the run.
type leasedTrial struct {
	lease *assignment
	trial int64
}

// packedResult is the encoded result of a trial.
type packedResult struct {
	key   string
	trial int64
	lease uint64 // number of the lease that the trial belongs to
	text  []byte
}

func newSession(w Worker, s runStreams, job Job) *session {
	return &session{
		runStreams: s,
		worker:     w,
		job:        job,
		outgoing:   make(chan packedResult, 256),
		heldLeases: map[uint64]*assignment{},
		byKey:      map[string][]leasedTrial{},
	}
}

// run runs trials until the run is over or ctx ends. It then returns unfinished trials.
func (r *session) run(ctx context.Context) error {
	playing, stop := context.WithCancel(ctx)
	defer stop()
	sending, cut := context.WithCancel(context.WithoutCancel(ctx))
	defer cut()
	g, _ := clock.NewGroup(context.WithoutCancel(ctx), 0)
	g.Go("heartbeats", func(context.Context) error { r.renewLeases(sending, cut); return nil })
	g.Go("pulse", func(context.Context) error { r.watchSuspension(sending, playing, cut); return nil })
	g.Go("send", func(context.Context) error {
		defer stop()
		defer cut()
		return r.sendAll(sending)
	})
	g.Go("play", func(context.Context) error {
		defer close(r.outgoing)
		err := r.job.Runner.Run(playing, r.trials(playing),
			eval.SinkFunc(func(res eval.Result) error { return r.add(sending, res) }))
		if playing.Err() != nil || sending.Err() != nil {
			return nil
		}
		return err
	})
	err := g.Wait()
	if r.suspended {
		r.worker.Log(fmt.Sprintf("worker %s made no progress for more than %v: its trials are assigned again",
			r.worker.Name, r.lostAfter))
	} else if r.runState() == running {
		r.returnLeases(context.WithoutCancel(ctx))
	}
	return err
}

// trials yields the trials of one lease after another, until there is no more work.
func (r *session) trials(ctx context.Context) iter.Seq2[eval.Trial, error] {
	return func(yield func(eval.Trial, error) bool) {
		for idle := clock.Now(ctx); ; {
			lease, l, err := r.nextLease(ctx)
			switch {
			case err != nil:
				yield(eval.Trial{}, err)
				return
			case l == nil && (ctx.Err() != nil || r.worker.IdleTimeout > 0 &&
				clock.Since(ctx, idle) >= r.worker.IdleTimeout):
				return
			case l == nil:
				continue
			}
			if !r.yield(l, lease, yield) {
				return
			}
			idle, r.hasRun = clock.Now(ctx), true
		}
	}
}

// yield passes the trials of one lease to the consumer. It returns false if the consumer stops or
// on an error.
func (r *session) yield(l *assignment, lease Assignment, yield func(eval.Trial, error) bool) bool {
	for _, span := range lease.Ranges {
		at := span.From
		for t, err := range r.job.Trials(span.From, span.To) {
			if err == nil {
				r.expect(t.Key(), leasedTrial{lease: l, trial: at})
			}
			if !yield(t, err) || err != nil {
				return false
			}
			at++
		}
		if at != span.To {
			yield(eval.Trial{}, fmt.Errorf("there are %d trials, and %d to %d are assigned", at, span.From, span.To))
			return false
		}
	}
	return true
}

// nextLease returns the next lease, or nil if there is none at present.
func (r *session) nextLease(ctx context.Context) (lease Assignment, l *assignment, err error) {
	if r.leaseConsumer == nil {
		r.leaseConsumer, err = r.conn.js.Consumer(ctx, r.leaseStream(), workers)
	}
	var m jetstream.Msg
	if err == nil {
		m, err = r.leaseConsumer.Next(jetstream.FetchMaxWait(time.Second))
	}
	if err != nil {
		if !errors.Is(err, errTimeout) {
			r.leaseConsumer = nil
			_ = clock.Sleep(ctx, pollInterval) // if the broker or the run is gone, renewLeases notices this
		}
		return lease, nil, nil
	}
	meta, err := m.Metadata()
	if err != nil {
		return lease, nil, nil
	}
	if lease, err = readAssignment(m.Data(), r.job.TotalTrials); err != nil {
		_ = m.Term() // no coordinator created this message
		return lease, nil, nil
	}
	return lease, r.accept(m, meta.Sequence.Stream, lease), nil
}

// accept records a new lease. If the session already holds the lease, the broker delivered it again
// because a renewal was late; then accept returns nil and the trials continue.
func (r *session) accept(m jetstream.Msg, seq uint64, lease Assignment) *assignment {
	r.mu.Lock()
	defer r.mu.Unlock()
	if l := r.heldLeases[seq]; l != nil {
		l.msg = m
		return nil
	}
	l := &assignment{msg: m, seq: seq, left: map[int64]struct{}{}}
	for _, span := range lease.Ranges {
		for i := span.From; i < span.To; i++ {
			l.left[i] = struct{}{}
		}
	}
	r.heldLeases[seq] = l
	return l
}

func (r *session) expect(key string, p leasedTrial) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.byKey[key] = append(r.byKey[key], p)
}

// add queues the result of a trial for sending.
func (r *session) add(ctx context.Context, res eval.Result) error {
	if r.isSuspended(clock.Now(ctx)) {
		return nil // the result is dropped, because durations measured by a suspended process are wrong
	}
	r.mu.Lock()
	places := r.byKey[res.Key]
	r.mu.Unlock()
	if len(places) == 0 {
		return nil // the trial was in two leases, and its result is already queued
	}
	line, err := pack(places[0].trial, res, r.worker.Secrets)
	if err != nil {
		return err
	}
	select {
	case r.outgoing <- packedResult{
		key:   res.Key,
		trial: places[0].trial,
		lease: places[0].lease.seq,
		text:  line,
	}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// markSent records that the broker has stored a result, and acknowledges a complete lease.
func (r *session) markSent(key string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, p := range r.byKey[key] {
		delete(p.lease.left, p.trial)
		if len(p.lease.left) == 0 {
			_ = p.lease.msg.Ack() // if the acknowledgment is lost, the lease is delivered again
			delete(r.heldLeases, p.lease.seq)
		}
	}
	delete(r.byKey, key)
}

// isSuspended reports whether this process was suspended for longer than its leases last. Durations
// that were measured across the suspension are wrong.
func (r *session) isSuspended(now time.Time) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.lastSeen.IsZero() && !r.job.Runner.SimulatedClock && now.Sub(r.lastSeen) > r.lostAfter {
		r.suspended = true
	}
	r.lastSeen = now
	return r.suspended
}

// watchSuspension calls end if the process was suspended. It also calls end if the trials have
// stopped but their results cannot be sent within the request timeout.
func (r *session) watchSuspension(ctx, playing context.Context, end func()) {
	for r.isSuspended(clock.Now(ctx)); clock.Sleep(ctx, min(r.lostAfter/4, time.Second)) == nil; {
		if playing.Err() != nil {
			_ = clock.Sleep(ctx, r.conn.requestTimeout)
			end()
			return
		}
		if r.isSuspended(clock.Now(ctx)) {
			end()
			return
		}
	}
}

func (r *session) runState() state {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.now
}
