package fleet

import (
	"context"
	"errors"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// Unexported functions for tests: ReadLease decodes an assignment; Plain makes a text safe for one
// line of a terminal.
var (
	ReadLease = readAssignment
	Plain     = sanitize
)

// Opened returns the number of valid results in a message.
func Opened(message []byte) (n int, err error) {
	list, err := readEnvelopes(message)
	for _, p := range list {
		if _, failed := p.open(); failed == nil {
			n++
		}
	}
	return n, err
}

// Leases returns all assignments for a run of size trials, with at most most trials each. It leaves
// out the trials that are done.
func Leases(size, most int64, done ...int64) (list []Assignment) {
	b := newBitmap(size)
	for _, i := range done {
		b.add(i)
	}
	for l, at := b.next(0, most); l.Len() > 0; l, at = b.next(at, most) {
		list = append(list, l)
	}
	return list
}

// Send sends a message to the coordinator of a run, as a worker does.
func (c *Conn) Send(id string, message []byte) error {
	return c.nc.Publish(runStreams{id: id}.resultSubject(), message)
}

// SendAssignment sends an assignment to the workers of a run, as the coordinator does.
func (c *Conn) SendAssignment(id string, message []byte) error {
	_, err := c.js.Publish(context.Background(), runStreams{id: id}.leaseSubject(), message)
	return err
}

// Acknowledge acknowledges all assignments of a run without running their trials, until ctx ends.
// It simulates a faulty worker.
func (c *Conn) Acknowledge(ctx context.Context, id string) {
	for ctx.Err() == nil {
		leases, err := c.js.Consumer(ctx, runStreams{id: id}.leaseStream(), workers)
		if err != nil {
			continue
		}
		for m, err := leases.Next(jetstream.FetchMaxWait(100 * time.Millisecond)); err == nil; m, err = leases.Next(
			jetstream.FetchMaxWait(100 * time.Millisecond)) {
			_ = m.Ack()
		}
	}
}

// Fetch downloads the specification and the files of a run into a directory, as a worker does.
func (c *Conn) Fetch(id, dir string) (map[string]string, error) {
	_, at, err := runStreams{conn: c, id: id}.download(context.Background(), dir)
	return at, err
}

// Ship uploads the specification of a run, as the coordinator does.
func (c *Conn) Ship(id string, o RunSpec) error {
	s := runStreams{conn: c, id: id, lostAfter: defaultLost}
	if err := s.create(context.Background()); err != nil {
		return err
	}
	return s.upload(context.Background(), o)
}

// Put stores an object of a run on the broker.
func (c *Conn) Put(id, name string, text []byte) error {
	s := runStreams{conn: c, id: id}
	store, err := s.store(context.Background())
	if err != nil {
		return err
	}
	return s.put(context.Background(), store, name, text)
}

// Announce announces a run with the given start time, as its coordinator does.
func (c *Conn) Announce(ctx context.Context, id string, began time.Time) error {
	s := runStreams{conn: c, id: id}
	if err := s.createAnnouncements(ctx); err != nil {
		return err
	}
	return s.announce(ctx, began)
}

// Known returns the announced runs in the order in which workers run them.
func (c *Conn) Known(ctx context.Context) ([]string, error) { return c.announcedRuns(ctx) }

// Withdraw deletes a part of a run from the broker, as another client of the broker could.
func (c *Conn) Withdraw(id, part string) error {
	ctx, s := context.Background(), runStreams{conn: c, id: id}
	switch part {
	case "announcement":
		kv, err := c.js.KeyValue(ctx, announcementBucket)
		if err != nil {
			return err
		}
		return kv.Purge(ctx, id)
	case "announcements":
		return c.js.DeleteKeyValue(ctx, announcementBucket)
	case "queues":
		return errors.Join(c.js.DeleteStream(ctx, s.leaseStream()), c.js.DeleteStream(ctx, s.resultStream()))
	case "files":
		return c.js.DeleteObjectStore(ctx, s.bucket())
	}
	return s.remove(ctx)
}

const MaxFiles = maxFiles
