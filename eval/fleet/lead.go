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
	"evalctl/eval/number"
)

// lead is one run under way, as its coordinator sees it.
type lead struct {
	streams
	run Run

	seed maphash.Seed
	rows map[uint64]struct{} // hash of what rows of each trial that is to be played may repeat of it, and of its place
	done *bitmap
	left int64

	lent     *bitmap // done, or with workers, when the session began
	at       int64   // the next to be lent
	size     int64   // of a lease
	last     uint64  // the last result that lay there when the session began
	surveyed bool    // that one was taken: what is neither done nor lent is to be lent

	parallel  map[string]int // trials at once, by worker
	bad       int            // parcels that are none
	dropped   error          // the last of them, since the trials that are left were lent; nil: none
	fruitless int            // times that all that was left was lent, and what came of it dropped, or nothing came
	before    int64          // trials left when all was lent last
	failed    bool           // a result could not be kept
	lonely    lonely         // that nobody plays
	refused   refusals       // of workers
}

// newLead goes through the plan once.
func newLead(c Coordinator, run Run) (*lead, error) {
	l := &lead{streams: streams{conn: c.Conn, id: ID(run.Manifest), lost: cmp.Or(c.Lost, usualLost)}, run: run,
		seed: maphash.MakeSeed(), rows: map[uint64]struct{}{}, parallel: map[string]int{}}
	var done []int64
	size := int64(0)
	for t, err := range run.Trials {
		if err != nil {
			return nil, err
		}
		key := t.Key()
		if run.Skip != nil && run.Skip(key) {
			done = append(done, size)
		} else {
			for _, row := range t.Blanks() {
				l.rows[l.rowOf(size, row)] = struct{}{}
			}
		}
		size++
	}
	l.done = newBitmap(size)
	for _, i := range done {
		l.done.add(i)
	}
	l.lent, l.left = l.done.clone(), l.done.size-int64(len(done))
	l.before = l.left
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
		if lease, err := readLease(m.Data, l.done.size); err == nil { // workers drop what is none
			l.lent.addAll(lease)
		}
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
		l.refuse(err)
		return nil
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
		l.refuse(fmt.Errorf("trial %d of %d", p.Trial, l.done.size))
		return nil
	}
	if l.done.has(p.Trial) {
		return l.forget(ctx, p)
	}
	whole, err := l.whole(ctx, p)
	if err != nil {
		return err
	}
	r, err := whole.open()
	if _, known := l.rows[l.rowOf(p.Trial, r)]; err == nil && !known {
		err = errors.New("is of another trial than it says, or of another case")
	}
	if err != nil {
		l.refuse(err)
		return nil
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

func (l *lead) rowOf(place int64, r eval.Result) uint64 {
	return maphash.Bytes(l.seed, strconv.AppendInt(append(r.Repeated(), ' '), place, 10))
}

// refuse passes over what is no result of the run, and tells of the first: a trial that
// has no other is lent again.
func (l *lead) refuse(err error) {
	l.dropped = err
	if l.bad++; l.bad == 1 {
		l.run.Tell(plain(fmt.Sprintf("a worker sent what is no result of this run, and is dropped: %v", err)))
	}
}

// mostFruitless is how often a trial is lent whose result is refused: each time it is paid.
const mostFruitless = 3

// lendAgain is reached when all was lent, nothing is out, and results are lacking: those
// that the broker lost are lent again, those that were dropped or never sent not without end.
func (l *lead) lendAgain() error {
	last, some := l.dropped, l.left < l.before
	l.dropped, l.before = nil, l.left
	if last == nil && some {
		return nil
	}
	if l.fruitless++; l.fruitless < mostFruitless {
		return nil
	}
	if last == nil {
		last = errors.New("they say that all is played")
	}
	return &finalError{fmt.Errorf("of %s, lent %d times, workers sent no result of this run: %s", number.Counted(l.left, "trial"), mostFruitless, plain(last.Error()))}
}

// tellRefused says how many there were.
func (l *lead) tellRefused() {
	if l.bad > 1 {
		l.run.Tell(fmt.Sprintf("workers sent %d results that are none of this run: they were dropped", l.bad))
	}
}

// know counts the sender among the workers.
func (l *lead) know(m jetstream.Msg) {
	if n, err := strconv.Atoi(m.Headers().Get(header + "-Parallel")); err == nil && n > 0 && len(l.parallel) < maxCount {
		l.parallel[plain(m.Headers().Get(header))] = min(n, maxCount)
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
