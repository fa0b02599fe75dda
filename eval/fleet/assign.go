package fleet

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/nats-io/nats.go/jetstream"

	"evalctl/eval/metric"
)

// loadAssigned finds the trials that must not be assigned again: workers have them, or their
// results are unread on the broker. An assignment that is no longer on the broker is complete: all
// its results are there.
func (l *coordination) loadAssigned(ctx context.Context) error {
	l.assigned, l.nextPosition = l.done.clone(), 0
	stream, err := l.conn.js.Stream(ctx, l.leaseStream())
	if err != nil {
		return err
	}
	for seq := uint64(1); ; seq++ {
		m, err := stream.GetMsg(ctx, seq, jetstream.WithGetMsgSubject(l.leaseSubject()))
		if errors.Is(err, jetstream.ErrMsgNotFound) {
			break
		}
		if err != nil {
			return err
		}
		seq = m.Sequence
		// invalid assignments are ignored, because workers discard them
		if lease, err := readAssignment(m.Data, l.done.size); err == nil {
			l.assigned.addAll(lease)
		}
	}
	results, err := l.conn.js.Stream(ctx, l.resultStream())
	if err != nil {
		return err
	}
	state := results.CachedInfo().State
	l.lastResult, l.canAssign = state.LastSeq, state.Msgs == 0
	return nil
}

// readyAssignments is the number of assignments that wait on the broker for workers.
const readyAssignments = 64

// assign publishes new assignments, so that enough of them are ready for workers. over is true when
// all trials are assigned and no assignment is pending.
func (l *coordination) assign(ctx context.Context) (over bool, err error) {
	c, err := l.conn.js.Consumer(ctx, l.leaseStream(), workers)
	if err != nil {
		return false, err
	}
	info := c.CachedInfo()
	l.logIdle(ctx, info)
	if err := l.withdrawal.check(ctx, l, info.NumAckPending > 0); err != nil {
		return false, err
	}
	for n := info.NumPending; n < readyAssignments; n++ {
		lease, after := l.assigned.next(l.nextPosition, l.batchSize)
		if lease.Len() == 0 {
			return n == 0 && info.NumAckPending == 0, nil
		}
		text, err := json.Marshal(lease)
		if err != nil {
			return false, err
		}
		if _, err := l.conn.js.Publish(ctx, l.leaseSubject(), text); err != nil {
			return false, err
		}
		l.nextPosition = after
	}
	return false, nil
}

// maxAttempts is the maximum number of attempts for trials without a valid result. It is limited
// because each attempt costs money.
const maxAttempts = 3

// reassign prepares the missing trials for another assignment. It is called when no assignment is
// pending but results are missing. Results that the broker lost are assigned again without a limit.
// After maxAttempts attempts without a valid result it returns an error.
func (l *coordination) reassign() error {
	last, some := l.lastRejection, l.remaining < l.remainingBefore
	l.lastRejection, l.remainingBefore = nil, l.remaining
	if last == nil && some {
		return nil
	}
	if l.attempts++; l.attempts < maxAttempts {
		return nil
	}
	if last == nil {
		last = errors.New("the workers report that all trials are done")
	}
	return &finalError{fmt.Errorf("%s: assigned %d times without a result: %s", metric.Plural(l.remaining, "trial"),
		maxAttempts, sanitize(last.Error()))}
}
