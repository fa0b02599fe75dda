package cache

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/gomodule/redigo/redis"

	"evalctl/agent/clock"
	"evalctl/agent/llm"
	"evalctl/agent/outbound"
	"evalctl/agent/secret"
)

const (
	maxConnections = 16               // maximum number of open connections to one server
	idleTimeout    = 30 * time.Minute // an unused connection is closed after this time
)

// CheckRedisURL returns an error unless address is like redis://user:password@host:port/db, or
// rediss:// for TLS.
func CheckRedisURL(address string) error {
	_, err := parseRedis(address)
	return err
}

// redisServer is the parsed address of a Redis server.
type redisServer struct {
	address  string // host:port
	tls      *tls.Config
	user     string
	password string // "": no authentication
	database int
}

func parseRedis(address string) (redisServer, error) {
	u, err := url.Parse(address)
	// url.Parse finds no password in such an address, so an error message could reveal it
	if !strings.Contains(address, "//") && strings.Contains(address, "@") {
		return redisServer{}, errors.New("is not an address like redis://user:password@127.0.0.1:6379/0")
	}
	if err != nil || !outbound.HasValidHost(u) || u.Scheme != "redis" && u.Scheme != "rediss" {
		return redisServer{}, fmt.Errorf("%q is not an address like redis://user:password@127.0.0.1:6379/0",
			secret.RedactURL(address))
	}
	if u.RawQuery != "" || u.Fragment != "" {
		return redisServer{}, fmt.Errorf("%q: nothing goes behind the number of the database",
			secret.RedactURL(address))
	}
	s := redisServer{user: u.User.Username()}
	s.password, _ = u.User.Password()
	port := u.Port()
	if port == "" {
		port = "6379"
	}
	s.address = net.JoinHostPort(u.Hostname(), port)
	if u.Scheme == "rediss" {
		s.tls = &tls.Config{ServerName: u.Hostname(), MinVersion: tls.VersionTLS12}
	}
	if db := strings.Trim(u.Path, "/"); db != "" {
		if s.database, err = strconv.Atoi(db); err != nil || s.database < 0 {
			return redisServer{}, fmt.Errorf("%q: redis: invalid database number: %q", secret.RedactURL(address), db)
		}
	}
	return s, nil
}

// dial opens a connection, authenticates and selects the database.
func (r *Redis) dial(ctx context.Context) (redis.Conn, error) {
	plain := &net.Dialer{Timeout: r.policy.Timeout, KeepAlive: 5 * time.Minute}
	dial := plain.DialContext
	if r.server.tls != nil {
		dial = (&tls.Dialer{NetDialer: plain, Config: r.server.tls}).DialContext
	}
	raw, err := dial(ctx, "tcp", r.server.address)
	if err != nil {
		return nil, err
	}
	conn := redis.NewConn(&limitedConn{Conn: raw, maxReply: maxKeysPerCommand*r.limits.MaxValue + maxOverhead},
		r.policy.Timeout,
		r.policy.Timeout)
	if r.server.password != "" {
		login := []any{r.server.password}
		if r.server.user != "" {
			login = []any{r.server.user, r.server.password}
		}
		_, err = redis.DoWithTimeout(conn, timeLeft(ctx, r.policy.Timeout), "AUTH", login...)
	}
	if err == nil && r.server.database != 0 {
		_, err = redis.DoWithTimeout(conn, timeLeft(ctx, r.policy.Timeout), "SELECT", r.server.database)
	}
	if err != nil {
		_ = conn.Close() // the first error is more informative
		return nil, err
	}
	return conn, nil
}

// checkIdle rejects an idle connection that is older than the last connection failure, because the
// server has probably closed it, too. The connection pool calls it before it reuses a connection.
func (r *Redis) checkIdle(_ redis.Conn, lastUsed time.Time) error {
	if lastUsed.UnixNano() <= r.lastBroken.Load() {
		return errors.New("the server has closed its connections")
	}
	return nil
}

// do sends a command and repeats it once if the server had closed the connection, for example after
// a restart. The command must have the same effect when it is sent twice.
func (r *Redis) do(ctx context.Context, command string, args ...any) (any, error) {
	reply, broken, err := r.doOnce(ctx, command, args...)
	if broken && ctx.Err() == nil {
		reply, _, err = r.doOnce(ctx, command, args...)
	}
	return reply, err
}

// doOnce sends a command. broken reports whether the server had closed the pooled connection, so
// that a second attempt makes sense.
func (r *Redis) doOnce(ctx context.Context, command string, args ...any) (reply any, broken bool, err error) {
	if r.closed.Load() {
		return nil, false, errors.New("redis: client is closed")
	}
	conn, err := r.pool.GetContext(ctx)
	if err != nil {
		return nil, false, err
	}
	defer conn.Close() // returns the connection to the pool, or closes it after a failure that is already reported
	reply, err = redis.DoWithTimeout(conn, timeLeft(ctx, r.policy.Timeout), command, args...)
	if conn.Err() == nil {
		return reply, false, err
	}
	r.lastBroken.Store(clock.Now(context.Background()).UnixNano())
	var failed *net.OpError
	closed := errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.As(err, &failed) &&
		!failed.Timeout()
	return nil, closed, err
}

// timeLeft returns the time until the context's deadline, at least 1 ms and at most limit.
func timeLeft(ctx context.Context, limit time.Duration) time.Duration {
	if deadline, ok := ctx.Deadline(); ok {
		limit = min(limit, deadline.Sub(clock.Now(context.Background())))
	}
	return max(limit, time.Millisecond)
}

// classifyError converts an error reply of the Redis server to an *llm.Error, whose kind shows
// whether a retry can help. Other errors are returned unchanged.
func classifyError(err error) error {
	var reply redis.Error
	if !errors.As(err, &reply) {
		return err
	}
	word, _, _ := strings.Cut(reply.Error(), " ")
	e := &llm.Error{Kind: llm.KindServerError, Code: word, Message: reply.Error()}
	text := strings.ToLower(reply.Error())
	switch {
	case word == "NOAUTH", word == "WRONGPASS", word == "NOPERM", strings.Contains(text, "invalid password"),
		strings.Contains(text, "without any password"):
		e.Kind = llm.KindAuth
	case word == "ERR" && !strings.Contains(text, "max number of clients"), word == "WRONGTYPE":
		e.Kind = llm.KindBadRequest
	}
	return e
}
