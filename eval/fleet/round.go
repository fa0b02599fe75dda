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

// session is the work of a worker on one run.
type session struct {
	streams
	worker Worker
	job    Job
	ready  chan shipment      // results to send
	leases jetstream.Consumer // nil: not opened yet
	played bool

	mu     sync.Mutex
	loans  map[uint64]*assignment
	byKey  map[string][]place
	now    state     // state of the run
	awake  time.Time // last time at which this process was seen running
	frozen bool      // the process was suspended for so long that its leases expired
}

// assignment is a lease that the worker runs.
type assignment struct {
	msg  jetstream.Msg
	seq  uint64
	left map[int64]struct{}
}

// place is a trial of a lease.
type place struct {
	loan  *assignment
	trial int64
}

// shipment is an encoded result.
type shipment struct {
	key   string
	trial int64
	lease uint64 // lease that the trial belongs to
	text  []byte
}

func newRound(w Worker, s streams, job Job) *session {
	return &session{streams: s, worker: w, job: job, ready: make(chan shipment, 256),
		loans: map[uint64]*assignment{}, byKey: map[string][]place{}}
}

// play runs trials until the run is over or ctx ends. It then returns unfinished leases.
func (r *session) play(ctx context.Context) error {
	playing, stop := context.WithCancel(ctx)
	defer stop()
	sending, cut := context.WithCancel(context.WithoutCancel(ctx))
	defer cut()
	g, _ := clock.NewGroup(context.WithoutCancel(ctx), 0)
	g.Go("heartbeats", func(context.Context) error { r.keepLoans(sending, cut); return nil })
	g.Go("pulse", func(context.Context) error { r.keepAwake(sending, playing, cut); return nil })
	g.Go("send", func(context.Context) error {
		defer stop()
		defer cut()
		return r.sendAll(sending)
	})
	g.Go("play", func(context.Context) error {
		defer close(r.ready)
		err := r.job.Runner.Run(playing, r.trials(playing), eval.SinkFunc(func(res eval.Result) error { return r.add(sending, res) }))
		if playing.Err() != nil || sending.Err() != nil {
			return nil
		}
		return err
	})
	err := g.Wait()
	if r.frozen {
		r.worker.Log(fmt.Sprintf("worker %s made no progress for more than %v: its trials are assigned again", r.worker.Name, r.lost))
	} else if r.became() == goesOn {
		r.giveBack(context.WithoutCancel(ctx))
	}
	return err
}

// trials yields the trials of one lease after another.
func (r *session) trials(ctx context.Context) iter.Seq2[eval.Trial, error] {
	return func(yield func(eval.Trial, error) bool) {
		for idle := clock.Now(ctx); ; {
			lease, l, err := r.next(ctx)
			switch {
			case err != nil:
				yield(eval.Trial{}, err)
				return
			case l == nil && (ctx.Err() != nil || r.worker.Idle > 0 && clock.Since(ctx, idle) >= r.worker.Idle):
				return
			case l == nil:
				continue
			}
			if !r.yield(l, lease, yield) {
				return
			}
			idle, r.played = clock.Now(ctx), true
		}
	}
}

// yield yields the trials of a lease.
func (r *session) yield(l *assignment, lease Assignment, yield func(eval.Trial, error) bool) bool {
	for _, span := range lease.Ranges {
		at := span.From
		for t, err := range r.job.Trials(span.From, span.To) {
			if err == nil {
				r.expect(t.Key(), place{loan: l, trial: at})
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

// next returns the next lease, nil if there is none for now.
func (r *session) next(ctx context.Context) (lease Assignment, l *assignment, err error) {
	if r.leases == nil {
		r.leases, err = r.conn.js.Consumer(ctx, r.leaseStream(), workers)
	}
	var m jetstream.Msg
	if err == nil {
		m, err = r.leases.Next(jetstream.FetchMaxWait(time.Second))
	}
	if err != nil {
		if !errors.Is(err, errTimeout) {
			r.leases = nil
			_ = clock.Sleep(ctx, pause) // the broker or the run is gone: the heartbeats detect this
		}
		return lease, nil, nil
	}
	meta, err := m.Metadata()
	if err != nil {
		return lease, nil, nil
	}
	if lease, err = readLease(m.Data(), r.job.Total); err != nil {
		_ = m.Term() // no coordinator created it
		return lease, nil, nil
	}
	return lease, r.borrow(m, meta.Sequence.Stream, lease), nil
}

// borrow stores a lease. If the session already has it, the broker delivered it again because
// heartbeats were late, and the trials continue.
func (r *session) borrow(m jetstream.Msg, seq uint64, lease Assignment) *assignment {
	r.mu.Lock()
	defer r.mu.Unlock()
	if l := r.loans[seq]; l != nil {
		l.msg = m
		return nil
	}
	l := &assignment{msg: m, seq: seq, left: map[int64]struct{}{}}
	for _, span := range lease.Ranges {
		for i := span.From; i < span.To; i++ {
			l.left[i] = struct{}{}
		}
	}
	r.loans[seq] = l
	return l
}

func (r *session) expect(key string, p place) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.byKey[key] = append(r.byKey[key], p)
}

// add queues a result for sending.
func (r *session) add(ctx context.Context, res eval.Result) error {
	if r.slept(clock.Now(ctx)) {
		return nil // durations measured by a suspended process are wrong
	}
	r.mu.Lock()
	places := r.byKey[res.Key]
	r.mu.Unlock()
	if len(places) == 0 {
		return nil // the trial was in two leases, and its result is queued
	}
	line, err := pack(places[0].trial, res, r.worker.Secrets)
	if err != nil {
		return err
	}
	select {
	case r.ready <- shipment{key: res.Key, trial: places[0].trial, lease: places[0].loan.seq, text: line}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// sent records that the broker has stored a trial's result, and acknowledges completed leases.
func (r *session) sent(key string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, p := range r.byKey[key] {
		delete(p.loan.left, p.trial)
		if len(p.loan.left) == 0 {
			_ = p.loan.msg.Ack() // if the acknowledgment is lost, the lease is delivered again
			delete(r.loans, p.loan.seq)
		}
	}
	delete(r.byKey, key)
}

// slept reports whether this process was ever suspended for longer than its leases last. Durations
// measured over that time are wrong.
func (r *session) slept(now time.Time) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.awake.IsZero() && !r.job.Runner.Simulated && now.Sub(r.awake) > r.lost {
		r.frozen = true
	}
	r.awake = now
	return r.frozen
}

// keepAwake calls end if the process was suspended. It also calls end if no more trials run and
// their results cannot be sent for some time.
func (r *session) keepAwake(ctx, playing context.Context, end func()) {
	for r.slept(clock.Now(ctx)); clock.Sleep(ctx, min(r.lost/4, time.Second)) == nil; {
		if playing.Err() != nil {
			_ = clock.Sleep(ctx, r.conn.patience)
			end()
			return
		}
		if r.slept(clock.Now(ctx)) {
			end()
			return
		}
	}
}

// became returns the last known state of the run.
func (r *session) became() state {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.now
}
