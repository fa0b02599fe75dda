package fleet

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/nats-io/nats.go/jetstream"

	"evalctl/eval/number"
)

// survey finds which trials are with workers, or lie there as results: those are not
// lent again. A lease that is not there any more has left all its results.
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
		if lease, err := readLease(m.Data, l.done.size); err == nil { // workers drop what is none
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

// ahead is how many leases lie ready for workers.
const ahead = 64

// assign keeps leases ready. It is over when all were lent and none is out.
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

// mostFruitless is how often a trial is lent whose result is dropped: each time it is paid.
const mostFruitless = 3

// lendAgain is reached when all was lent, nothing is out, and results are lacking: those
// that the broker lost are lent again, those that were dropped or never sent not without end.
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
