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

// Defaults of RedisConfig.
const (
	DefaultRedisTimeout = 400 * time.Millisecond // shorter than CallTimeout, which limits every cache call
	DefaultCooldown     = 250 * time.Millisecond // time without calls after a failure
)

// maxKeysPerCommand limits the keys in one Redis command, and therefore the values in its reply.
const maxKeysPerCommand = 100

// RedisConfig configures a Redis store.
type RedisConfig struct {
	URL    string      // redis://user:password@host:port/db, see CheckRedisURL
	Limits StoreConfig // Size is ignored, because the Redis server limits its own memory
	// time limit of a GetAll or Put call, at most CallTimeout; 0: DefaultRedisTimeout
	Timeout  time.Duration
	Cooldown time.Duration    // time without calls after a failure; 0: DefaultCooldown
	Now      func() time.Time // for the cooldown; nil: the wall clock
}

// Redis is a Store on a Redis server, which other processes can share. It always uses the wall
// clock; simulated time does not advance during a call. After a failure, calls fail at once with
// the same error until the cooldown ends. Then a single call tests the server.
type Redis struct {
	server redisServer
	pool   redis.Pool
	// time of the last connection failure, in Unix nanoseconds; older connections are not reused
	lastBroken atomic.Int64
	closed     atomic.Bool
	limits     StoreConfig
	policy     llm.CallPolicy
	breaker    breaker
}

var _ Store = (*Redis)(nil)

// NewRedis creates a store without connecting, because the server may start later. Its errors name
// the invalid field of cfg.
func NewRedis(cfg RedisConfig) (*Redis, error) {
	limits, err := cfg.Limits.withDefaults()
	if err != nil {
		return nil, err
	}
	if cfg.Timeout < 0 || cfg.Timeout > CallTimeout {
		return nil, fmt.Errorf("cache.RedisConfig.Timeout: %v is not in 0..%v", cfg.Timeout, CallTimeout)
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
		server: server,
		limits: limits,
		policy: llm.CallPolicy{
			Provider: "redis",
			Timeout:  timeout,
			Retries:  llm.NoRetries,
			Secrets:  secret.NewSet("", cfg.URL),
		},
		breaker: breaker{cooldown: cmp.Or(cfg.Cooldown, DefaultCooldown), probeTimeout: timeout, now: now},
	}
	r.pool = redis.Pool{
		DialContext:  r.dial,
		TestOnBorrow: r.checkIdle,
		MaxIdle:      maxConnections,
		MaxActive:    maxConnections,
		IdleTimeout:  idleTimeout,
		Wait:         true,
	}
	return r, nil
}

// Close closes all connections. Later calls fail.
func (r *Redis) Close() error {
	r.closed.Store(true)
	return r.pool.Close()
}

// GetAll implements Store. It omits values that are not strings or longer than MaxValue.
func (r *Redis) GetAll(ctx context.Context, keys []string) (map[string]string, error) {
	found := map[string]string{}
	keys = slices.DeleteFunc(slices.Clone(keys), func(key string) bool { return len(key) > maxKey })
	if len(keys) == 0 {
		return found, nil
	}
	err := r.call(ctx, func(ctx context.Context) error {
		for batch := range slices.Chunk(keys, maxKeysPerCommand) {
			reply, err := r.do(ctx, "MGET", redis.Args{}.AddFlat(batch)...)
			if err != nil {
				return err
			}
			values, ok := reply.([]any)
			if !ok || len(values) != len(batch) {
				return &llm.Error{Kind: llm.KindMalformedResponse,
					Message: fmt.Sprintf("%d values for %d keys", len(values), len(batch))}
			}
			for i, value := range values {
				if text, ok := value.([]byte); ok && len(text) <= r.limits.MaxValue {
					found[batch[i]] = string(text)
				}
			}
		}
		return nil
	})
	return found, err
}

// Put implements Store.
func (r *Redis) Put(ctx context.Context, key, value string) error {
	if err := r.limits.check(key, value); err != nil {
		return err
	}
	ttl := max(r.limits.TTL.Milliseconds(), 1)
	return r.call(ctx, func(ctx context.Context) error {
		_, err := r.do(ctx, "SET", key, value, "PX", ttl)
		return err
	})
}

// call runs f with a timeout. While the circuit is open it returns the last error instead.
func (r *Redis) call(ctx context.Context, f func(context.Context) error) error {
	if err := r.breaker.refusal(); err != nil {
		return err
	}
	_, err := r.policy.Do(onWallClock(ctx), func(ctx context.Context, _ *trace.Span) error {
		return classifyError(clock.CatchPanic("redis", func() error { return f(ctx) }))
	})
	if ctx.Err() == nil { // a call that the caller canceled is no failure of the server
		r.breaker.record(err)
	}
	return err
}

// onWallClock returns the context for a call to the server, which is never in simulated time. It
// records no trace events, because the caller records the call.
func onWallClock(ctx context.Context) context.Context {
	if clock.IsSimulated(ctx) {
		return context.Background()
	}
	return trace.WithRecorder(ctx, nil)
}
