package cache

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"github.com/gomodule/redigo/redis"

	"evalctl/agent/clock"
	"evalctl/agent/llm"
	"evalctl/agent/secret"
	"evalctl/agent/trace"
)

// What holds of a Redis of which nothing else is said.
const (
	DefaultRedisTimeout = 400 * time.Millisecond // less than what a traced call may take
	DefaultCooldown     = 250 * time.Millisecond
)

// keysAtOnce bounds a command, and what is read for it.
const keysAtOnce = 100

// RedisConfig says where a Redis is, and what it keeps.
type RedisConfig struct {
	URL      string        // as CheckRedis wants it
	Limits   StoreConfig   // without a Size: Redis bounds itself
	Timeout  time.Duration // of a call, however many keys; at most the package's Timeout; 0: DefaultRedisTimeout
	Cooldown time.Duration // for so long it is not asked again once it failed; 0: DefaultCooldown
	Now      func() time.Time
}

// Redis is a Store that is shared by all who know its address. Its time is the wall
// clock's, also for who asks in simulated time, which stands still meanwhile. A
// server that is down costs one short wait, and no more until it had its rest: all
// others are told at once of the failure that was.
type Redis struct {
	server  redisServer
	pool    redis.Pool
	lost    atomic.Int64 // Unix time in ns at which a connection broke; connections last used before it are not used again
	closed  atomic.Bool
	keeps   StoreConfig
	policy  llm.Policy
	breaker breaker
}

var _ Store = (*Redis)(nil)

// NewRedis checks cfg; errors name the field. It asks nobody: a server that is down
// may come up.
func NewRedis(cfg RedisConfig) (*Redis, error) {
	keeps, err := cfg.Limits.settled()
	if err != nil {
		return nil, err
	}
	if cfg.Timeout < 0 || cfg.Timeout > Timeout {
		return nil, fmt.Errorf("cache.RedisConfig.Timeout: %v is not in 0..%v", cfg.Timeout, Timeout)
	}
	if cfg.Cooldown < 0 {
		return nil, fmt.Errorf("cache.RedisConfig.Cooldown: %v is negative", cfg.Cooldown)
	}
	timeout := cmp.Or(cfg.Timeout, DefaultRedisTimeout)
	server, err := parseRedis(cfg.URL)
	if err != nil {
		return nil, fmt.Errorf("cache.RedisConfig.URL: %w", err)
	}
	now := cfg.Now
	if now == nil {
		now = func() time.Time { return clock.Now(context.Background()) }
	}
	r := &Redis{
		server: server, keeps: keeps,
		policy:  llm.Policy{Provider: "redis", Timeout: timeout, Retries: llm.NoRetries, Secrets: secret.NewSecrets("", cfg.URL)},
		breaker: breaker{rest: cmp.Or(cfg.Cooldown, DefaultCooldown), trial: timeout, now: now},
	}
	r.pool = redis.Pool{
		DialContext:  r.dial,
		TestOnBorrow: r.stillOpen,
		MaxIdle:      connections,
		MaxActive:    connections,
		IdleTimeout:  idleTimeout,
		Wait:         true,
	}
	return r, nil
}

// Close ends all connections.
func (r *Redis) Close() error {
	r.closed.Store(true)
	return r.pool.Close()
}

// GetAll is part of Store. What is no text, or too long, is not there.
func (r *Redis) GetAll(ctx context.Context, keys []string) (map[string]string, error) {
	found := map[string]string{}
	keys = slices.DeleteFunc(slices.Clone(keys), func(key string) bool { return len(key) > MaxKey })
	if len(keys) == 0 {
		return found, nil
	}
	err := r.ask(ctx, func(ctx context.Context) error {
		for some := range slices.Chunk(keys, keysAtOnce) {
			reply, err := r.do(ctx, "MGET", redis.Args{}.AddFlat(some)...)
			if err != nil {
				return err
			}
			values, ok := reply.([]any)
			if !ok || len(values) != len(some) {
				return &llm.Error{Kind: llm.KindMalformedResponse, Message: fmt.Sprintf("%d values for %d keys", len(values), len(some))}
			}
			for i, value := range values {
				if text, ok := value.([]byte); ok && len(text) <= r.keeps.MaxValue {
					found[some[i]] = string(text)
				}
			}
		}
		return nil
	})
	return found, err
}

// Put is part of Store.
func (r *Redis) Put(ctx context.Context, key, value string) error {
	if err := r.keeps.check(key, value); err != nil {
		return err
	}
	ttl := max(r.keeps.TTL.Milliseconds(), 1)
	return r.ask(ctx, func(ctx context.Context) error {
		_, err := r.do(ctx, "SET", key, value, "PX", ttl)
		return err
	})
}

// ask calls the server, unless it is at rest.
func (r *Redis) ask(ctx context.Context, f func(context.Context) error) error {
	if err := r.breaker.refusal(); err != nil {
		return err
	}
	_, err := r.policy.Do(onWallClock(ctx), func(ctx context.Context, _ *trace.Span) error {
		return explain(clock.CatchPanic("redis", func() error { return f(ctx) }))
	})
	if ctx.Err() == nil { // else it is not the server that gave up
		r.breaker.note(err)
	}
	return err
}

// onWallClock is where a server is. Simulated time does not pass while it is asked.
// Who asks tells of the call.
func onWallClock(ctx context.Context) context.Context {
	if clock.IsSimulated(ctx) {
		return context.Background()
	}
	return trace.WithRecorder(ctx, nil)
}
