package fleet

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/maphash"
	"strconv"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"evalctl/eval"
)

// lead is one run under way, as its coordinator sees it.
type lead struct {
	streams
	run Run

	seed  maphash.Seed
	names []uint64 // hash of each trial's key and place
	done  *bitmap
	left  int64

	lent     *bitmap // done, or with workers, when the session began
	at       int64   // the next to be lent
	size     int64   // of a lease
	last     uint64  // the last result that lay there when the session began
	surveyed bool    // that one was taken: what is neither done nor lent is to be lent

	parallel map[string]int // trials at once, by worker
	bad      int            // parcels that are none
	failed   bool           // a result could not be kept
	lonely   lonely         // that nobody plays
	refused  refusals       // of workers
}

// name is what a result says of which trial it is.
type name struct {
	key, suite, variant, fault, id string
	epoch                          int
}

// newLead goes through the plan once.
func newLead(c Coordinator, run Run) (*lead, error) {
	l := &lead{streams: streams{conn: c.Conn, id: ID(run.Manifest), lost: cmp.Or(c.Lost, usualLost)}, run: run,
		seed: maphash.MakeSeed(), parallel: map[string]int{}}
	var done []int64
	for t, err := range run.Trials {
		if err != nil {
			return nil, err
		}
		key := t.Key()
		if run.Skip != nil && run.Skip(key) {
			done = append(done, int64(len(l.names)))
		}
		l.names = append(l.names, maphash.Comparable(l.seed, name{key: key, suite: t.Cell.Suite, variant: t.Cell.Variant,
			fault: t.Cell.Fault, id: t.Case.ID, epoch: t.Epoch}))
	}
	l.done = newBitmap(int64(len(l.names)))
	for _, i := range done {
		l.done.add(i)
	}
	l.lent, l.left = l.done.clone(), l.done.size-int64(len(done))
	l.size = min(max(l.left/256, leastLease), mostLease)
	return l, nil
}

// survey finds which trials are with workers, or lie there as results: those are not
// lent again. A lease that is not there any more has left all its results.
func (l *lead) survey(ctx context.Context) error {
	l.lent, l.at, l.surveyed = l.done.clone(), 0, false
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
		lease, err := readLease(m.Data, l.done.size)
		if err != nil {
			return &finalError{err}
		}
		l.lent.addAll(lease)
	}
	results, err := l.conn.js.Stream(ctx, l.resultStream())
	if err != nil {
		return err
	}
	l.last = results.CachedInfo().State.LastSeq
	return nil
}

// ahead is how many leases lie ready for workers.
const ahead = 64

// lend keeps leases ready. It is over when all were lent and none is out.
func (l *lead) lend(ctx context.Context) (over bool, err error) {
	c, err := l.conn.js.Consumer(ctx, l.leaseStream(), workers)
	if err != nil {
		return false, err
	}
	info := c.CachedInfo()
	l.watch(ctx, info)
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

// take takes some results, and acknowledges them once they are kept.
func (l *lead) take(ctx context.Context, results jetstream.Consumer) (n int, err error) {
	batch, err := results.Fetch(32, jetstream.FetchMaxWait(500*time.Millisecond))
	if err != nil {
		return 0, err
	}
	var taken []jetstream.Msg
	for m := range batch.Messages() {
		n++
		if err := l.open(ctx, m); err != nil {
			return n, err
		}
		if taken = append(taken, m); len(batch.Messages()) > 0 {
			continue
		}
		if err := l.keep(taken); err != nil || l.left == 0 {
			return n, err
		}
		taken = nil
	}
	return n, batch.Error()
}

// keep acknowledges messages whose results are on the disk.
func (l *lead) keep(taken []jetstream.Msg) error {
	if err := l.run.Sync(); err != nil {
		l.failed = true
		return &finalError{err}
	}
	for _, m := range taken {
		_ = m.Ack() // what is not heard of comes again
	}
	return nil
}

// open adds the results of a message.
func (l *lead) open(ctx context.Context, m jetstream.Msg) error {
	if meta, err := m.Metadata(); err == nil && meta.Sequence.Stream >= l.last {
		l.surveyed = true
	}
	l.know(m)
	list, err := readParcels(m.Data())
	if err != nil {
		return l.refuse(err)
	}
	for _, p := range list {
		if err := l.add(ctx, p); err != nil {
			return err
		}
	}
	return nil
}

// add adds a result, unless it was there.
func (l *lead) add(ctx context.Context, p parcel) error {
	if p.Trial < 0 || p.Trial >= l.done.size {
		return l.refuse(fmt.Errorf("trial %d of %d", p.Trial, l.done.size))
	}
	if l.done.has(p.Trial) {
		return l.forget(ctx, p)
	}
	whole, err := l.whole(ctx, p)
	if err != nil {
		return err
	}
	r, err := whole.open()
	if err == nil && l.nameOf(r) != l.names[p.Trial] {
		err = errors.New("is of another trial than it says")
	}
	if err != nil {
		return l.refuse(err)
	}
	parallel := 0
	for _, n := range l.parallel {
		parallel += n
	}
	if err := l.run.Add(r, parallel); err != nil {
		l.failed = true
		return &finalError{err}
	}
	l.done.add(p.Trial)
	l.lent.add(p.Trial)
	l.left--
	return l.forget(ctx, p)
}

func (l *lead) nameOf(r eval.Result) uint64 {
	return maphash.Comparable(l.seed, name{key: r.Key, suite: r.Suite, variant: r.Variant, fault: r.Fault, id: r.Case, epoch: r.Epoch})
}

// mostBad is how many messages may be no results before the run is given up.
const mostBad = 100

// refuse passes over what is no result of the run: its trial is lent again.
func (l *lead) refuse(err error) error {
	if l.bad++; l.bad > mostBad {
		return &finalError{fmt.Errorf("workers send what is no result of this run: %w", err)}
	}
	l.run.Tell(plain(fmt.Sprintf("a worker sent what is no result of this run: %v", err)))
	return nil
}

// header says which worker sends a message, and how many trials it plays at once.
const header = "Evalctl-Worker"

// know counts the sender among the workers.
func (l *lead) know(m jetstream.Msg) {
	if n, err := strconv.Atoi(m.Headers().Get(header + "-Parallel")); err == nil && n > 0 && len(l.parallel) < maxCount {
		l.parallel[m.Headers().Get(header)] = min(n, maxCount)
	}
}

// whole is a parcel with what it names an object for.
func (l *lead) whole(ctx context.Context, p parcel) (parcel, error) {
	if p.Object == "" {
		return p, nil
	}
	store, err := l.store(ctx)
	if err != nil {
		return p, err
	}
	text, err := l.get(ctx, store, p.Object, maxResult)
	if errors.Is(err, jetstream.ErrObjectNotFound) {
		return p, nil // it says nothing, and is refused
	}
	if err != nil {
		return p, err
	}
	list, err := readParcels(text)
	if err != nil || len(list) != 1 {
		return p, nil
	}
	return list[0], nil
}

// forget removes the object of a parcel that is kept. One that stays goes with the run.
func (l *lead) forget(ctx context.Context, p parcel) error {
	if p.Object == "" {
		return nil
	}
	store, err := l.store(ctx)
	if err != nil {
		return err
	}
	_ = store.Delete(ctx, p.Object)
	return nil
}
