package fleet

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"evalctl/agent/clock"
	"evalctl/agent/secret"
)

// Address says where a broker is and who asks.
type Address struct {
	URL                   string // nats://[TOKEN@|USER:PASSWORD@]HOST[:PORT] or tls://…
	Token, User, Password string // where the URL has none
}

// Conn is a connection to a broker, which comes back by itself.
type Conn struct {
	nc   *nats.Conn
	js   jetstream.JetStream
	host string
}

// Dial connects to a broker, and waits for one that is not there yet. tell hears, once
// each, that it is waited for, is gone, and is there again.
func Dial(ctx context.Context, a Address, tell func(string)) (*Conn, error) {
	host := secret.URL(a.URL)
	opts := []nats.Option{
		nats.Name("evalctl"), nats.Timeout(patience), nats.RetryOnFailedConnect(true), nats.MaxReconnects(-1),
		nats.CustomReconnectDelay(wait), nats.PingInterval(20 * time.Second),
		nats.DisconnectErrHandler(func(*nats.Conn, error) { tell("the broker at " + host + " is gone: waiting for it") }),
		nats.ReconnectHandler(func(*nats.Conn) { tell("the broker at " + host + " is there again") }),
		nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {}), // what fails is tried again where it is asked for
	}
	if a.Token != "" {
		opts = append(opts, nats.Token(a.Token))
	}
	if a.User != "" {
		opts = append(opts, nats.UserInfo(a.User, a.Password))
	}
	nc, err := nats.Connect(a.URL, opts...)
	if err != nil {
		return nil, explain(host, err)
	}
	if err := connected(ctx, nc, host, tell); err != nil {
		nc.Close()
		return nil, err
	}
	js, err := jetstream.New(nc, jetstream.WithDefaultTimeout(patience))
	if err != nil {
		nc.Close()
		return nil, err
	}
	return &Conn{nc: nc, js: js, host: host}, nil
}

// connected waits for the first connection.
func connected(ctx context.Context, nc *nats.Conn, host string, tell func(string)) error {
	for told := false; nc.Status() != nats.CONNECTED; told = true {
		if nc.IsClosed() || errors.Is(nc.LastError(), nats.ErrAuthorization) {
			return explain(host, nc.LastError())
		}
		if !told {
			tell("waiting for the broker at " + host)
		}
		if err := clock.Sleep(ctx, 50*time.Millisecond); err != nil {
			if last := nc.LastError(); last != nil && !errors.Is(ctx.Err(), context.Canceled) {
				return explain(host, last)
			}
			return fmt.Errorf("broker %s: no connection: %w", host, err)
		}
	}
	return nil
}

func explain(host string, err error) error {
	if errors.Is(err, nats.ErrAuthorization) || errors.Is(err, nats.ErrAuthExpired) {
		return fmt.Errorf("broker %s: refuses: give its token or user, as in nats://TOKEN@HOST, or in $NATS_TOKEN: %w", host, err)
	}
	return fmt.Errorf("broker %s: %w", host, err)
}

// Close ends the connection, once what was sent has gone.
func (c *Conn) Close() {
	_ = c.nc.FlushTimeout(time.Second) // who hears of it is gone
	c.nc.Close()
}

// wait is how long the nth attempt in a row waits, so that many do not come at once.
func wait(attempts int) time.Duration {
	most := min(patience, 50*time.Millisecond<<min(attempts, 7))
	return most/2 + rand.N(most/2)
}

// retry does something until it succeeds, is over for good or ctx ends.
func retry(ctx context.Context, do func(ctx context.Context) error) error {
	return retryEach(ctx, patience, do)
}

// retryEach gives each attempt some time.
func retryEach(ctx context.Context, each time.Duration, do func(ctx context.Context) error) error {
	for n := 0; ; n++ {
		err := attempt(ctx, each, do)
		if err == nil || isFinal(err) {
			return err
		}
		if slept := clock.Sleep(ctx, wait(n)); slept != nil {
			return errors.Join(slept, err)
		}
	}
}

func attempt(ctx context.Context, each time.Duration, do func(ctx context.Context) error) error {
	ctx, cancel := clock.WithTimeout(ctx, each)
	defer cancel()
	return do(ctx)
}

// isFinal tells an error that no waiting mends.
func isFinal(err error) bool {
	var final *finalError
	return errors.As(err, &final) || errors.Is(err, jetstream.ErrJetStreamNotEnabled) || errors.Is(err, jetstream.ErrJetStreamNotEnabledForAccount) ||
		errors.Is(err, nats.ErrConnectionClosed) || errors.Is(err, nats.ErrPermissionViolation)
}

// finalError marks an error that no waiting mends.
type finalError struct{ error }

func (e *finalError) Unwrap() error { return e.error }
