package fleet

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"evalctl/agent/clock"
)

var errTimeout = nats.ErrTimeout

// Limits of a batch of results: its size in bytes, and how long to wait for more results. While the
// broker writes one batch to disk, the next one is collected.
const (
	maxMessage = 512 << 10
	batchDelay = 20 * time.Millisecond
)

// sendAll sends the results of the session to the broker, until there are no more or ctx ends.
func (r *session) sendAll(ctx context.Context) error {
	for {
		select {
		case line, ok := <-r.outgoing:
			if !ok {
				return nil
			}
			if err := r.send(ctx, r.gather(ctx, line)); ctx.Err() != nil {
				return nil // returnLeases returns the unsent trials to the queue
			} else if err != nil {
				return err
			}
		case <-ctx.Done():
			return nil
		}
	}
}

// gather collects the results that follow the first one within batchDelay, to send them together.
func (r *session) gather(ctx context.Context, line packedResult) []packedResult {
	ctx, cancel := clock.WithTimeout(ctx, batchDelay)
	defer cancel()
	list, size := []packedResult{line}, len(line.text)
	for size < min(maxMessage, r.capacity()/2) {
		select {
		case line, ok := <-r.outgoing:
			if !ok {
				return list
			}
			list, size = append(list, line), size+len(line.text)
		case <-ctx.Done():
			return list
		}
	}
	return list
}

// capacity returns the maximum size of a message to the broker, in bytes.
func (r *session) capacity() int { return max(int(r.conn.nc.MaxPayload())-4<<10, 4<<10) }

// send sends results in messages of limited size, and retries until ctx ends.
func (r *session) send(ctx context.Context, list []packedResult) error {
	var small []packedResult
	size := 0
	flush := func() error {
		err := r.publish(ctx, small)
		small, size = nil, 0
		return err
	}
	for _, line := range list {
		if len(line.text) > r.capacity() {
			var err error
			if line, err = r.storeLarge(ctx, line); err != nil {
				return err
			}
		}
		if size+len(line.text) > r.capacity() {
			if err := flush(); err != nil {
				return err
			}
		}
		small, size = append(small, line), size+len(line.text)
	}
	return flush()
}

// storeLarge stores a result that is too large for a message as an object on the broker. It returns
// the envelope with the name of the object.
func (r *session) storeLarge(ctx context.Context, line packedResult) (packedResult, error) {
	store, err := r.store(ctx)
	if err != nil {
		return line, err
	}
	name := "result-" + line.key + "-" + r.worker.Name
	if err := r.put(ctx, store, name, line.text); err != nil {
		return line, err
	}
	line.text, err = head(envelope{Trial: line.trial, Object: name})
	return line, err
}

// publish sends a message and waits until the broker has written it to disk. It repeats failed
// attempts; the broker drops duplicates.
func (r *session) publish(ctx context.Context, list []packedResult) error {
	if len(list) == 0 {
		return nil
	}
	m := nats.NewMsg(r.resultSubject())
	var names strings.Builder
	for _, line := range list {
		m.Data = append(m.Data, line.text...)
		fmt.Fprintf(&names, "%s/%d ", line.key, line.lease)
	}
	m.Header.Set(workerHeader, r.worker.Name)
	m.Header.Set(workerHeader+"-Parallel", strconv.Itoa(r.job.Runner.Parallel))
	id := names.String()
	if len(list) > 1 {
		sum := sha256.Sum256([]byte(id))
		id = hex.EncodeToString(sum[:12])
	}
	err := r.conn.retry(ctx, func(ctx context.Context) error {
		_, err := r.conn.js.PublishMsg(ctx, m, jetstream.WithMsgID(strings.TrimSpace(id)))
		return err
	})
	if err != nil {
		return err
	}
	for _, line := range list {
		r.markSent(line.key)
	}
	return nil
}

// renewLeases renews the leases of the worker until ctx ends. It calls end when the run has ended,
// was stopped, or is no longer announced.
func (r *session) renewLeases(ctx context.Context, end func()) {
	every := min(r.lostAfter/3, time.Second)
	for beats := 0; clock.Sleep(ctx, every) == nil; beats++ {
		if beats%max(int(r.lostAfter/3/every), 1) == 0 {
			r.renew()
		}
		now := running
		err := attempt(ctx, r.conn.requestTimeout,
			func(ctx context.Context) (err error) { now, err = r.state(ctx); return err })
		if err == nil && now != running {
			r.mu.Lock()
			r.now = now
			r.mu.Unlock()
			end()
			return
		}
	}
}

func (r *session) renew() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, l := range r.heldLeases {
		_ = l.msg.InProgress() // a failed renewal is repeated soon
	}
}

// returnLeases returns unfinished trials to the queue, so that other workers run them at once.
func (r *session) returnLeases(ctx context.Context) {
	if !r.conn.nc.IsConnected() {
		return
	}
	ctx, cancel := clock.WithTimeout(ctx, r.conn.requestTimeout)
	defer cancel()
	for _, l := range r.heldLeases {
		text, err := json.Marshal(assignmentOf(l.left))
		if err == nil {
			_, err = r.conn.js.Publish(ctx, r.leaseSubject(), text)
		}
		if err == nil { // otherwise the lease expires, and all its trials are delivered again
			_ = l.msg.Ack()
		}
	}
}
