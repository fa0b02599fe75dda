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
	connections = 16               // open to one server at the same time
	idleTimeout = 30 * time.Minute // after which an unused connection is closed
)

// CheckRedis returns an error if address is not like redis://user:password@host:port/db,
// or rediss:// for TLS.
func CheckRedis(address string) error {
	_, err := parseRedis(address)
	return err
}

// redisServer is the parsed address of a Redis.
type redisServer struct {
	address  string // host:port
	tls      *tls.Config
	user     string
	password string // "": no AUTH
	database int
}

func parseRedis(address string) (redisServer, error) {
	u, err := url.Parse(address)
	if !strings.Contains(address, "//") && strings.Contains(address, "@") { // url.Parse does not find the password
		return redisServer{}, errors.New("is not an address like redis://user:password@127.0.0.1:6379/0")
	}
	if err != nil || !outbound.HasHost(u) || u.Scheme != "redis" && u.Scheme != "rediss" {
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

// dial opens a connection, and logs in.
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
	conn := redis.NewConn(&limitedConn{Conn: raw, max: keysAtOnce*r.limits.MaxValue + maxOverhead}, r.policy.Timeout,
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
		_ = conn.Close() // err is more informative
		return nil, err
	}
	return conn, nil
}

// stillOpen returns an error for an idle connection that another one's failure makes useless.
func (r *Redis) stillOpen(_ redis.Conn, lastUsed time.Time) error {
	if lastUsed.UnixNano() <= r.lastBroken.Load() {
		return errors.New("the server has closed its connections")
	}
	return nil
}

// do sends a command that may be repeated. A server that was restarted, or that closes idle
// connections, breaks the first command on an old connection: that command is sent once more.
func (r *Redis) do(ctx context.Context, command string, args ...any) (any, error) {
	reply, broken, err := r.doOnce(ctx, command, args...)
	if broken && ctx.Err() == nil {
		reply, _, err = r.doOnce(ctx, command, args...)
	}
	return reply, err
}

// doOnce reports whether the other side closed a connection that the pool had.
func (r *Redis) doOnce(ctx context.Context, command string, args ...any) (reply any, broken bool, err error) {
	if r.closed.Load() {
		return nil, false, errors.New("redis: client is closed")
	}
	conn, err := r.pool.GetContext(ctx)
	if err != nil {
		return nil, false, err
	}
	defer conn.Close() // returns it to the pool; a broken one is closed, which was reported already
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

// timeLeft is the time until the context's deadline, at most limit, and positive.
func timeLeft(ctx context.Context, limit time.Duration) time.Duration {
	if deadline, ok := ctx.Deadline(); ok {
		limit = min(limit, deadline.Sub(clock.Now(context.Background())))
	}
	return max(limit, time.Millisecond)
}

// explain converts an error reply of the server to an error with a kind.
func explain(err error) error {
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
