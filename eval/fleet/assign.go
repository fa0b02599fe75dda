package fleet

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/nats-io/nats.go/jetstream"

	"evalctl/eval/number"
)

// survey finds trials that are assigned to workers or have unread results; these are not assigned
// again. If an assignment is no longer on the broker, all its results are there.
func (l *coordination) survey(ctx context.Context) error {
	l.lent, l.at = l.done.clone(), 0
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
		if lease, err := readLease(m.Data, l.done.size); err == nil { // workers drop invalid ones
			l.lent.addAll(lease)
		}
	}
	results, err := l.conn.js.Stream(ctx, l.resultStream())
	if err != nil {
		return err
	}
	state := results.CachedInfo().State
	l.last, l.surveyed = state.LastSeq, state.Msgs == 0
	return nil
}

// ahead is the number of assignments that are kept ready for workers.
const ahead = 64

// assign keeps assignments ready. over is true when all trials are assigned and none is pending.
func (l *coordination) assign(ctx context.Context) (over bool, err error) {
	c, err := l.conn.js.Consumer(ctx, l.leaseStream(), workers)
	if err != nil {
		return false, err
	}
	info := c.CachedInfo()
	l.watch(ctx, info)
	if err := l.withdrawal.check(ctx, l, info.NumAckPending > 0); err != nil {
		return false, err
	}
	for n := info.NumPending; n < ahead; n++ {
		lease, after := l.lent.next(l.at, l.size)
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
		l.at = after
	}
	return false, nil
}

// mostFruitless is how often a trial is assigned whose result is rejected, because each attempt
// costs money.
const mostFruitless = 3

// lendAgain is called when all trials are assigned, none is pending, and results are missing.
// Results that the broker lost are assigned again without a limit. The number of attempts is
// limited if results were rejected, or if no results arrived.
func (l *coordination) lendAgain() error {
	last, some := l.lastDrop, l.left < l.before
	l.lastDrop, l.before = nil, l.left
	if last == nil && some {
		return nil
	}
	if l.fruitless++; l.fruitless < mostFruitless {
		return nil
	}
	if last == nil {
		last = errors.New("the workers report that all trials are done")
	}
	return &finalError{fmt.Errorf("%s: assigned %d times without a result: %s", number.Plural(l.left, "trial"), mostFruitless, plain(last.Error()))}
}
