package fleet

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// announcementBucket is the name of the key-value bucket in which coordinators announce their runs.
const announcementBucket = "evalctl-runs"

// runStreams provides the message streams, buckets and subjects of one run on the broker.
type runStreams struct {
	conn      *Conn
	id        string
	lostAfter time.Duration // time without a renewal after which a lease is delivered to another worker
}

func (s runStreams) leaseSubject() string  { return "evalctl." + s.id + ".lease" }
func (s runStreams) resultSubject() string { return "evalctl." + s.id + ".result" }
func (s runStreams) reportSubject() string { return "evalctl." + s.id + ".told" }
func (s runStreams) leaderSubject() string { return "evalctl." + s.id + ".led" }
func (s runStreams) leaseStream() string   { return "evalctl-" + s.id + "-leases" }
func (s runStreams) resultStream() string  { return "evalctl-" + s.id + "-results" }
func (s runStreams) bucket() string        { return "evalctl-" + s.id }

// create creates the streams and buckets of the run, if they do not exist.
func (s runStreams) create(ctx context.Context) error {
	js := s.conn.js
	_, err := js.CreateOrUpdateStream(ctx, jetstream.StreamConfig{
		Name:       s.leaseStream(),
		Subjects:   []string{s.leaseSubject()},
		Retention:  jetstream.WorkQueuePolicy,
		Storage:    jetstream.FileStorage,
		Discard:    jetstream.DiscardNew,
		MaxBytes:   64 << 20,
		MaxMsgSize: 64 << 10,
		MaxAge:     maxAge,
	})
	if err != nil {
		return err
	}
	_, err = js.CreateOrUpdateConsumer(ctx, s.leaseStream(), jetstream.ConsumerConfig{
		Durable:       workers,
		AckPolicy:     jetstream.AckExplicitPolicy,
		AckWait:       s.lostAfter,
		MaxAckPending: -1,
	})
	if err != nil {
		return err
	}
	_, err = js.CreateOrUpdateStream(ctx, jetstream.StreamConfig{
		Name:      s.resultStream(),
		Subjects:  []string{s.resultSubject()},
		Retention: jetstream.WorkQueuePolicy,
		Storage:   jetstream.FileStorage,
		Discard:   jetstream.DiscardNew,
		MaxBytes:  maxQueue,
		MaxAge:    maxAge,
	})
	if err != nil {
		return err
	}
	_, err = js.CreateOrUpdateObjectStore(ctx, jetstream.ObjectStoreConfig{
		Bucket:   s.bucket(),
		TTL:      maxAge,
		MaxBytes: maxQueue,
		Storage:  jetstream.FileStorage,
	})
	if err != nil {
		return err
	}
	return s.createAnnouncements(ctx)
}

func (s runStreams) createAnnouncements(ctx context.Context) error {
	_, err := s.conn.js.CreateOrUpdateKeyValue(ctx, jetstream.KeyValueConfig{
		Bucket:       announcementBucket,
		TTL:          announcementLifetime,
		MaxValueSize: 1 << 10,
		MaxBytes:     1 << 20,
		History:      1,
		Storage:      jetstream.FileStorage,
	})
	return err
}

// Names of the durable consumers: one that all workers share, and one for the coordinator.
const (
	workers     = "workers"
	coordinator = "coordinator"
)

// resultConsumer creates the consumer through which the coordinator receives results. It replaces
// an existing one, so that messages that another process did not acknowledge are delivered
// immediately.
func (s runStreams) resultConsumer(ctx context.Context) (jetstream.Consumer, error) {
	err := s.conn.js.DeleteConsumer(ctx, s.resultStream(), coordinator)
	if err != nil && !errors.Is(err, jetstream.ErrConsumerNotFound) {
		return nil, err
	}
	return s.conn.js.CreateOrUpdateConsumer(ctx, s.resultStream(), jetstream.ConsumerConfig{
		Durable:       coordinator,
		AckPolicy:     jetstream.AckExplicitPolicy,
		AckWait:       defaultLost,
		MaxAckPending: -1,
	})
}

// remove deletes the data of the run from the broker, except the announcement, which expires.
func (s runStreams) remove(ctx context.Context) error {
	js := s.conn.js
	errs := []error{js.DeleteStream(ctx, s.leaseStream()), js.DeleteStream(ctx, s.resultStream()),
		js.DeleteObjectStore(ctx, s.bucket())}
	for i, err := range errs {
		if errors.Is(err, jetstream.ErrStreamNotFound) || errors.Is(err, jetstream.ErrBucketNotFound) ||
			errors.Is(err, jetstream.ErrKeyNotFound) {
			errs[i] = nil
		}
	}
	return errors.Join(errs...)
}

// announce announces the run and its start time to workers. It must be renewed to stay visible.
func (s runStreams) announce(ctx context.Context, began time.Time) error {
	kv, err := s.conn.js.KeyValue(ctx, announcementBucket)
	if err == nil {
		_, err = kv.PutString(ctx, s.id, began.UTC().Format(time.RFC3339Nano))
	}
	return err
}

// state is the announced state of a run: running, ended, stopped or gone.
type state string

// The states of a run. The announcement of a running run contains its start time.
const (
	running state = ""
	ended   state = "ended"   // every trial has its result
	stopped state = "stopped" // the coordinator stopped the run before its end
	gone    state = "gone"    // not announced: another client deleted the announcement, or the coordinator is dead
)

// close announces the final state of the run, so that workers stop.
func (s runStreams) close(ctx context.Context, now state) error {
	kv, err := s.conn.js.KeyValue(ctx, announcementBucket)
	if err == nil {
		_, err = kv.PutString(ctx, s.id, string(now))
	}
	return err
}

// announcedState returns the state of the run according to its announcement on the broker.
func (s runStreams) announcedState(ctx context.Context) (state, error) {
	kv, err := s.conn.js.KeyValue(ctx, announcementBucket)
	var e jetstream.KeyValueEntry
	if err == nil {
		e, err = kv.Get(ctx, s.id)
	}
	switch {
	case errors.Is(err, jetstream.ErrKeyNotFound), errors.Is(err, jetstream.ErrBucketNotFound):
		return gone, nil
	case err != nil:
		return running, err
	}
	if now := state(e.Value()); now == ended || now == stopped {
		return now, nil
	}
	return running, nil
}

// state returns the state of the run. A run without an announcement is still running if its
// coordinator answers: then another client of the broker deleted the announcement.
func (s runStreams) state(ctx context.Context) (state, error) {
	now, err := s.announcedState(ctx)
	if err != nil || now != gone {
		return now, err
	}
	_, err = s.conn.nc.RequestWithContext(ctx, s.leaderSubject(), nil)
	if errors.Is(err, nats.ErrNoResponders) {
		return gone, nil
	}
	return running, err
}

// announcedRuns returns the IDs of all announced runs, the earliest first.
func (c *Conn) announcedRuns(ctx context.Context) ([]string, error) {
	kv, err := c.js.KeyValue(ctx, announcementBucket)
	if errors.Is(err, jetstream.ErrBucketNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	all, err := kv.WatchAll(ctx, jetstream.IgnoreDeletes())
	if err != nil {
		return nil, err
	}
	var ids []string
	began := map[string]time.Time{}
	for e := range currentEntries(ctx, all.Updates()) {
		at, err := time.Parse(time.RFC3339Nano, string(e.Value()))
		if err == nil && isID(e.Key()) {
			ids, began[e.Key()] = append(ids, e.Key()), at
		}
	}
	slices.SortFunc(ids, func(a, b string) int { return cmp.Or(began[a].Compare(began[b]), strings.Compare(a, b)) })
	return ids, errors.Join(ctx.Err(), all.Stop())
}

// currentEntries yields the entries that a bucket contains at present, without waiting for later
// ones.
func currentEntries(ctx context.Context, entries <-chan jetstream.KeyValueEntry) iter.Seq[jetstream.KeyValueEntry] {
	return func(yield func(jetstream.KeyValueEntry) bool) {
		for {
			select {
			case e := <-entries:
				if e == nil || !yield(e) { // nil marks the end of the present entries
					return
				}
			case <-ctx.Done():
				return
			}
		}
	}
}

// isID reports whether a text has the form of a run RunID.
func isID(id string) bool { return len(id) == 20 && strings.Trim(id, "0123456789abcdef") == "" }

// workerHeader is the prefix of two message headers: the name of the worker, and the number of
// trials that it runs at a time.
const workerHeader = "Evalctl-Worker"

// report sends a text for the coordinator's terminal, without waiting for delivery.
func (s runStreams) report(worker, text string) {
	m := nats.NewMsg(s.reportSubject())
	m.Header.Set(workerHeader, worker)
	m.Data = []byte(sanitize(text))
	_ = s.conn.nc.PublishMsg(m)
}
