package fleet

import (
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"strconv"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"evalctl/eval"
	"evalctl/eval/journal"
)

// look is the wait for results between two checks of the assignments.
const look = 250 * time.Millisecond

// take fetches some results and acknowledges them once they are stored.
func (l *coordination) take(ctx context.Context, results jetstream.Consumer) (n int, err error) {
	batch, err := results.Fetch(32, jetstream.FetchMaxWait(look))
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

// keep acknowledges messages whose results are on disk.
func (l *coordination) keep(taken []jetstream.Msg) error {
	if err := l.run.Sync(); err != nil {
		l.failed = true
		return &finalError{err}
	}
	for _, m := range taken {
		_ = m.Ack() // an unacknowledged message is delivered again
	}
	return nil
}

// open adds the results of a message.
func (l *coordination) open(ctx context.Context, m jetstream.Msg) error {
	if meta, err := m.Metadata(); err == nil && meta.Sequence.Stream >= l.last {
		l.surveyed = true
	}
	l.know(m)
	list, err := readParcels(m.Data())
	if err != nil {
		l.drop(err)
		return nil
	}
	for _, p := range list {
		if err := l.add(ctx, p); err != nil {
			return err
		}
	}
	return nil
}

// add adds a result, unless it is a duplicate.
func (l *coordination) add(ctx context.Context, p envelope) error {
	if p.Trial < 0 || p.Trial >= l.done.size {
		l.drop(fmt.Errorf("trial %d of %d", p.Trial, l.done.size))
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
		err = errors.New("it belongs to another trial or case")
	}
	if err == nil {
		err = l.checkNames(r)
	}
	if err != nil {
		l.drop(err)
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

// checkNames limits the number of distinct score names from the workers of a run.
func (l *coordination) checkNames(r eval.Result) error {
	var added []string
	for _, s := range r.Scores {
		if _, known := l.scores[s.Name]; !known {
			added = append(added, s.Name)
		}
	}
	if len(l.scores)+len(added) > journal.MaxScores {
		return fmt.Errorf("the results have more than %d different score names, such as %.60q", journal.MaxScores, added[0])
	}
	for _, name := range added {
		l.scores[name] = struct{}{}
	}
	return nil
}

func (l *coordination) rowOf(place int64, r eval.Result) uint64 {
	return maphash.Bytes(l.seed, strconv.AppendInt(append(r.CaseFields(), ' '), place, 10))
}

// drop rejects an invalid result and logs the first one. A trial without another result is assigned
// again.
func (l *coordination) drop(err error) {
	l.lastDrop = err
	if l.drops++; l.drops == 1 {
		l.run.Log(plain(fmt.Sprintf("a worker sent what is no result of this run, and is dropped: %v", err)))
	}
}

// tellDropped logs the number of rejected results.
func (l *coordination) tellDropped() {
	if l.drops > 1 {
		l.run.Log(fmt.Sprintf("workers sent %d results that are none of this run: they were dropped", l.drops))
	}
}

// know records the sender as a worker.
func (l *coordination) know(m jetstream.Msg) {
	if n, err := strconv.Atoi(m.Headers().Get(header + "-Parallel")); err == nil && n > 0 && len(l.parallel) < maxCount {
		l.parallel[plain(m.Headers().Get(header))] = min(n, maxCount)
	}
}

// whole returns an envelope with the content of the object that it names.
func (l *coordination) whole(ctx context.Context, p envelope) (envelope, error) {
	if p.Object == "" {
		return p, nil
	}
	store, err := l.store(ctx)
	if err != nil {
		return p, err
	}
	text, err := l.get(ctx, store, p.Object, maxResult)
	if errors.Is(err, jetstream.ErrObjectNotFound) {
		return p, nil // an envelope without content is rejected
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

// forget removes the object of a stored envelope. If this fails, the object is removed with the
// run.
func (l *coordination) forget(ctx context.Context, p envelope) error {
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
