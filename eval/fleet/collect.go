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

// resultWait is how long to wait for results before the assignments are checked again.
const resultWait = 250 * time.Millisecond

// collect fetches some results, stores them, and then acknowledges their messages (n of them).
func (l *coordination) collect(ctx context.Context, results jetstream.Consumer) (n int, err error) {
	batch, err := results.Fetch(32, jetstream.FetchMaxWait(resultWait))
	if err != nil {
		return 0, err
	}
	var taken []jetstream.Msg
	for m := range batch.Messages() {
		n++
		if err := l.addMessage(ctx, m); err != nil {
			return n, err
		}
		if taken = append(taken, m); len(batch.Messages()) > 0 {
			continue
		}
		if err := l.acknowledge(taken); err != nil || l.remaining == 0 {
			return n, err
		}
		taken = nil
	}
	return n, batch.Error()
}

// acknowledge makes stored results durable, and then lets the broker delete their messages.
func (l *coordination) acknowledge(taken []jetstream.Msg) error {
	if err := l.run.Sync(); err != nil {
		l.failed = true
		return &finalError{err}
	}
	for _, m := range taken {
		_ = m.Ack() // an unacknowledged message is delivered again
	}
	return nil
}

func (l *coordination) addMessage(ctx context.Context, m jetstream.Msg) error {
	if meta, err := m.Metadata(); err == nil && meta.Sequence.Stream >= l.lastResult {
		l.canAssign = true
	}
	l.recordWorker(m)
	list, err := readEnvelopes(m.Data())
	if err != nil {
		l.reject(err)
		return nil
	}
	for _, p := range list {
		if err := l.add(ctx, p); err != nil {
			return err
		}
	}
	return nil
}

// add stores the result of one trial, unless the trial already has one.
func (l *coordination) add(ctx context.Context, p envelope) error {
	if p.Trial < 0 || p.Trial >= l.done.size {
		l.reject(fmt.Errorf("trial %d of %d", p.Trial, l.done.size))
		return nil
	}
	if l.done.has(p.Trial) {
		return l.deleteObject(ctx, p)
	}
	whole, err := l.loadObject(ctx, p)
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
		l.reject(err)
		return nil
	}
	parallel := 0
	for _, n := range l.parallel {
		parallel += n
	}
	if err := l.run.AddResult(r, parallel); err != nil {
		l.failed = true
		return &finalError{err}
	}
	l.done.add(p.Trial)
	l.assigned.add(p.Trial)
	l.remaining--
	return l.deleteObject(ctx, p)
}

// checkNames returns an error if the workers of a run send too many different score names.
func (l *coordination) checkNames(r eval.Result) error {
	var added []string
	for _, s := range r.Scores {
		if _, known := l.scores[s.Name]; !known {
			added = append(added, s.Name)
		}
	}
	if len(l.scores)+len(added) > journal.MaxScores {
		return fmt.Errorf("the results have more than %d different score names, such as %.60q",
			journal.MaxScores, added[0])
	}
	for _, name := range added {
		l.scores[name] = struct{}{}
	}
	return nil
}

func (l *coordination) rowOf(place int64, r eval.Result) uint64 {
	return maphash.Bytes(l.seed, strconv.AppendInt(append(r.EncodeCaseFields(), ' '), place, 10))
}

// reject drops an invalid result and logs the first one. Its trial is assigned again.
func (l *coordination) reject(err error) {
	l.lastRejection = err
	if l.rejected++; l.rejected == 1 {
		l.run.Log(sanitize(fmt.Sprintf("dropped a message from a worker that is not a result of this run: %v", err)))
	}
}

func (l *coordination) logRejected() {
	if l.rejected > 1 {
		l.run.Log(fmt.Sprintf("workers sent %d results that are none of this run: they were dropped", l.rejected))
	}
}

// recordWorker records how many trials the sender of a message runs at a time.
func (l *coordination) recordWorker(m jetstream.Msg) {
	if n, err := strconv.Atoi(m.Headers().Get(workerHeader + "-Parallel")); err == nil && n > 0 &&
		len(l.parallel) < maxCount {
		l.parallel[sanitize(m.Headers().Get(workerHeader))] = min(n, maxCount)
	}
}

// loadObject returns the message of a worker with its result. A large result is stored as an
// object, and the message contains only the name of the object.
func (l *coordination) loadObject(ctx context.Context, p envelope) (envelope, error) {
	if p.Object == "" {
		return p, nil
	}
	store, err := l.store(ctx)
	if err != nil {
		return p, err
	}
	text, err := l.get(ctx, store, p.Object, maxResult)
	if errors.Is(err, jetstream.ErrObjectNotFound) {
		return p, nil // an envelope without a result is rejected later
	}
	if err != nil {
		return p, err
	}
	list, err := readEnvelopes(text)
	if err != nil || len(list) != 1 {
		return p, nil
	}
	return list[0], nil
}

// deleteObject removes the object of a large result that is stored. If this fails, the object is
// removed together with the run.
func (l *coordination) deleteObject(ctx context.Context, p envelope) error {
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
