package fleet

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"evalctl/agent/clock"
	"evalctl/agent/secret"
)

// Address contains the URL of a broker and the credentials of the client.
type Address struct {
	URL                   string // URL of the broker: nats://[TOKEN@|USER:PASSWORD@]HOST[:PORT] or tls://…
	Token, User, Password string // credentials that are used if the URL contains none

	TLS *tls.Config // TLS settings of the client; nil: the defaults of the system

	ReconnectTimeout time.Duration // maximum time to wait for a broker that does not respond; 0: no limit
	RequestTimeout   time.Duration // time limit of a request and of the shutdown; 0: 5 s
}

// Conn is a client connection to a broker. It reconnects automatically.
type Conn struct {
	nc               *nats.Conn
	js               jetstream.JetStream
	host             string
	log              func(string)
	reconnectTimeout time.Duration
	requestTimeout   time.Duration
	closing          atomic.Bool // set by Close; after that, disconnects are not logged
}

// Dial connects to a broker, and waits for a broker that is not running yet. It calls log once for
// each wait, disconnect and reconnect.
func Dial(ctx context.Context, a Address, log func(string)) (*Conn, error) {
	c := &Conn{host: secret.RedactURL(a.URL), reconnectTimeout: a.ReconnectTimeout,
		requestTimeout: cmp.Or(a.RequestTimeout, defaultTimeout)}
	host := c.host
	c.log = func(text string) {
		if !c.closing.Load() {
			log(text)
		}
	}
	opts := []nats.Option{
		nats.Name("evalctl"), nats.Timeout(c.requestTimeout), nats.RetryOnFailedConnect(true), nats.MaxReconnects(-1),
		nats.CustomReconnectDelay(backoff), nats.PingInterval(20 * time.Second),
		nats.DisconnectErrHandler(func(*nats.Conn,
			error) {
			c.log("the broker at " + host + " is gone: waiting for it" + c.atMost())
		}),
		nats.ReconnectHandler(func(*nats.Conn) { c.log("the broker at " + host + " is there again") }),
		// no log: callers retry failed operations
		nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {}),
	}
	if a.Token != "" {
		opts = append(opts, nats.Token(a.Token))
	}
	if a.User != "" {
		opts = append(opts, nats.UserInfo(a.User, a.Password))
	}
	if a.TLS != nil {
		opts = append(opts, nats.Secure(a.TLS))
	}
	nc, err := nats.Connect(a.URL, opts...)
	if err != nil {
		return nil, explain(host, err)
	}
	if err := connected(ctx, nc, host, c.log); err != nil {
		c.closing.Store(true)
		nc.Close()
		return nil, err
	}
	js, err := jetstream.New(nc, jetstream.WithDefaultTimeout(c.requestTimeout))
	if err != nil {
		nc.Close()
		return nil, err
	}
	c.nc, c.js = nc, js
	return c, nil
}

func connected(ctx context.Context, nc *nats.Conn, host string, log func(string)) error {
	for logged := false; nc.Status() != nats.CONNECTED; logged = true {
		if last := nc.LastError(); nc.IsClosed() || errors.Is(last, nats.ErrAuthorization) || isTLSError(last) {
			return explain(host, nc.LastError())
		}
		if !logged {
			log("waiting for the broker at " + host)
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

// isTLSError reports whether the error is a TLS failure, which would recur with every further
// attempt.
func isTLSError(err error) bool {
	var untrusted *tls.CertificateVerificationError
	var plain tls.RecordHeaderError
	return errors.As(err, &untrusted) || errors.As(err, &plain) || errors.Is(err, nats.ErrSecureConnWanted) ||
		errors.Is(err, nats.ErrSecureConnRequired) ||
		err != nil && strings.Contains(err.Error(), "tls: ")
}

func explain(host string, err error) error {
	var untrusted *tls.CertificateVerificationError
	var named x509.HostnameError
	switch {
	case errors.As(err, &named):
		return fmt.Errorf("broker %s: its certificate is of another host: %w", host, err)
	case errors.As(err, &untrusted):
		return fmt.Errorf("broker %s: its certificate is not trusted: give the authority that signed it with --tls-ca: %w", host, err)
	case errors.Is(err, nats.ErrSecureConnWanted):
		return fmt.Errorf("broker %s: speaks no TLS: give it --tls-cert and --tls-key, or leave out tls:// and the --tls flags here: %w", host, err)
	case isTLSError(err):
		return fmt.Errorf("broker %s: refuses the secure connection: it may require a client certificate, with --tls-cert and --tls-key: %w", host, err)
	}
	if errors.Is(err, nats.ErrAuthorization) || errors.Is(err, nats.ErrAuthExpired) {
		return fmt.Errorf("broker %s: refuses: give its token or user, with --token-file, in $NATS_TOKEN or as in nats://TOKEN@HOST: %w", host, err)
	}
	return fmt.Errorf("broker %s: %w", host, err)
}

// Host returns the address of the broker without credentials.
func (c *Conn) Host() string { return c.host }

// Close sends pending messages and then closes the connection.
func (c *Conn) Close() {
	c.closing.Store(true)
	if c.nc.IsConnected() {
		_ = c.nc.FlushTimeout(time.Second) // no caller could handle the error
	}
	c.nc.Close()
}

// backoff returns the delay before the nth consecutive attempt. It is random within limits, so that
// clients do not all retry at the same time.
func backoff(attempts int) time.Duration {
	most := min(defaultTimeout, 50*time.Millisecond<<min(attempts, 7))
	return most/2 + rand.N(most/2)
}

// retry calls do until it succeeds, returns a final error, or ctx ends.
func (c *Conn) retry(ctx context.Context, do func(ctx context.Context) error) error {
	return c.retryEach(ctx, c.requestTimeout, do)
}

// retryEach works like retry, with its own time limit for each attempt.
func (c *Conn) retryEach(ctx context.Context, each time.Duration, do func(ctx context.Context) error) error {
	var stalled stall
	for n := 0; ; n++ {
		err := attempt(ctx, each, do)
		if err == nil || isFinal(err) {
			return err
		}
		if err := stalled.note(ctx, c, err); err != nil {
			return err
		}
		if slept := clock.Sleep(ctx, backoff(n)); slept != nil {
			return errors.Join(slept, err)
		}
	}
}

// stall records since when the broker has failed.
type stall struct {
	since          time.Time
	connectedSince time.Time // time since which the broker is connected but does not accept requests
	logged         bool
}

// stallNotice is how long a connected broker may fail before this is logged.
const stallNotice = 10 * time.Second

// note records the result of an attempt (err nil: success). It logs a series of errors once, and
// returns an error if the series exceeds the reconnect timeout.
func (s *stall) note(ctx context.Context, c *Conn, err error) error {
	now := clock.Now(ctx)
	if err == nil || ctx.Err() != nil {
		*s = stall{}
		return nil
	}
	if s.since.IsZero() {
		s.since = now
	}
	if c.reconnectTimeout > 0 && now.Sub(s.since) >= c.reconnectTimeout {
		return &finalError{fmt.Errorf(
			"the broker at %s was waited for for %v, and takes nothing: see that it runs and that its disk has room: %w", c.host, c.reconnectTimeout, err)}
	}
	switch {
	case !c.nc.IsConnected(): // the handler for disconnects logs this case
		s.connectedSince, s.logged = time.Time{}, false
	case s.connectedSince.IsZero():
		s.connectedSince = now
	case !s.logged && now.Sub(s.connectedSince) >= stallNotice:
		s.logged = true
		c.log(fmt.Sprintf("the broker at %s is there, and takes nothing: is its disk full? waiting for it%s: %v",
			c.host, c.atMost(), err))
	}
	return nil
}

// atMost returns the time limit of the wait as text for log messages, or "" if there is none.
func (c *Conn) atMost() string {
	if c.reconnectTimeout == 0 {
		return ""
	}
	return " for up to " + c.reconnectTimeout.String()
}

func attempt(ctx context.Context, each time.Duration, do func(ctx context.Context) error) error {
	ctx, cancel := clock.WithTimeout(ctx, each)
	defer cancel()
	return do(ctx)
}

// isFinal reports whether the error is final: no further attempt can succeed.
func isFinal(err error) bool {
	var final *finalError
	return errors.As(err, &final) || errors.Is(err, jetstream.ErrJetStreamNotEnabled) ||
		errors.Is(err, jetstream.ErrJetStreamNotEnabledForAccount) ||
		errors.Is(err, nats.ErrConnectionClosed) || errors.Is(err, nats.ErrPermissionViolation)
}

// finalError marks an error that no further attempt can fix.
type finalError struct{ error }

func (e *finalError) Unwrap() error { return e.error }
