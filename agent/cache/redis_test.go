package cache_test

import (
	"context"
	"fmt"
	"net"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/alicebob/miniredis/v2"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"github.com/onsi/gomega/gleak"

	"evalctl/agent/cache"
	"evalctl/agent/clock"
	"evalctl/agent/llm"
)

// manualClock is a clock that the test advances.
type manualClock struct{ passed atomic.Int64 }

func (w *manualClock) now() time.Time       { return midnight.Add(time.Duration(w.passed.Load())) }
func (w *manualClock) pass(d time.Duration) { w.passed.Add(int64(d)) }

func redisAt(cfg cache.RedisConfig) *cache.Redis {
	GinkgoHelper()
	r, err := cache.NewRedis(cfg)
	Expect(err).NotTo(HaveOccurred())
	DeferCleanup(r.Close)
	return r
}

// kindOf returns the error kind of a GetAll call.
func kindOf(ctx context.Context, s cache.Store) llm.ErrorKind {
	_, err := s.GetAll(ctx, []string{"a"})
	return llm.KindOf(err)
}

var _ = Describe("A store in Redis", func() {
	var (
		server *miniredis.Miniredis
		store  *cache.Redis
		w      *manualClock
	)
	BeforeEach(func() {
		server, w = miniredis.NewMiniRedis(), &manualClock{}
		Expect(server.Start()).To(Succeed())
		DeferCleanup(server.Close)
		store = redisAt(cache.RedisConfig{URL: "redis://" + server.Addr() + "/1", Now: w.now})
	})

	It("L6: returns the values of those requested keys that exist, with one command", func(ctx context.Context) {
		Expect(store.Put(ctx, "doc_summary:a:1", "一")).To(Succeed())
		Expect(store.Put(ctx, "b", "")).To(Succeed())
		before := server.CommandCount()
		Expect(store.GetAll(ctx, []string{"doc_summary:a:1", "b", "c", "b"})).
			To(Equal(map[string]string{"doc_summary:a:1": "一", "b": ""}))
		Expect(server.CommandCount() - before).To(Equal(1))
		Expect(store.GetAll(ctx, nil)).To(BeEmpty())
		Expect(server.CommandCount() - before).To(Equal(1))
		Expect(server.DB(1).Get("doc_summary:a:1")).To(Equal("一"))
	})

	It("L6: reads a thousand keys with ten commands", func(ctx context.Context) {
		var keys []string
		for i := range 1000 {
			keys = append(keys, fmt.Sprint(i))
			Expect(server.DB(1).Set(keys[i], keys[i])).To(Succeed())
		}
		Expect(kindOf(ctx, store)).To(BeEmpty())
		before := server.CommandCount()
		Expect(store.GetAll(ctx, keys)).To(HaveLen(1000))
		Expect(server.CommandCount() - before).To(Equal(10))
	})

	It("L6: returns a value for 7 days", func(ctx context.Context) {
		Expect(store.Put(ctx, "a", "1")).To(Succeed())
		Expect(server.DB(1).TTL("a")).To(Equal(7 * 24 * time.Hour))
		server.FastForward(7*24*time.Hour - time.Second)
		Expect(store.GetAll(ctx, []string{"a"})).To(HaveLen(1))
		server.FastForward(time.Second)
		Expect(store.GetAll(ctx, []string{"a"})).To(BeEmpty())
	})

	It("rejects a value or key that is too long, and ignores such values that other clients stored",
		func(ctx context.Context) {
			Expect(store.Put(ctx, "a", strings.Repeat("x", cache.DefaultMaxValue))).To(Succeed())
			Expect(store.Put(ctx, "b", strings.Repeat("x", cache.DefaultMaxValue+1))).To(MatchError(llm.KindBadRequest))
			Expect(store.Put(ctx, strings.Repeat("k", cache.MaxKey+1), "")).To(MatchError(llm.KindBadRequest))
			Expect(server.DB(1).Set("huge", strings.Repeat("x", 8<<20))).To(Succeed())
			found, err := store.GetAll(ctx, []string{"huge", "a", strings.Repeat("k", cache.MaxKey+1)})
			Expect(err).NotTo(HaveOccurred())
			Expect(found).To(HaveLen(1))
			Expect(found["a"]).To(HaveLen(cache.DefaultMaxValue))
		})

	It("ignores values that are not strings", func(ctx context.Context) {
		_, err := server.DB(1).Push("a", "1", "2")
		Expect(err).NotTo(HaveOccurred())
		Expect(store.GetAll(ctx, []string{"a"})).To(BeEmpty())
		Expect(store.Put(ctx, "a", "1")).To(Succeed())
		Expect(store.GetAll(ctx, []string{"a"})).To(Equal(map[string]string{"a": "1"}))
	})

	It("L6: works in simulated time, which does not advance during a call", func() {
		simulate(func(ctx context.Context) {
			g, _ := clock.NewGroup(ctx, 0)
			for i := range 50 {
				g.Go("document", func(ctx context.Context) error {
					key := fmt.Sprint(i)
					if err := store.Put(ctx, key, key); err != nil {
						return err
					}
					if err := clock.Sleep(ctx, time.Hour); err != nil {
						return err
					}
					found, err := store.GetAll(ctx, []string{key})
					Expect(found).To(HaveKeyWithValue(key, key))
					return err
				})
			}
			Expect(g.Wait()).To(Succeed())
			Expect(clock.Since(ctx, midnight)).To(Equal(time.Hour))
		})
	})

	It("L6: does not call a server that has failed during the cooldown, and uses it again afterwards",
		func(ctx context.Context) {
			Expect(store.Put(ctx, "a", "1")).To(Succeed())
			server.Close()
			_, err := store.GetAll(ctx, []string{"a"})
			Expect(err).To(MatchError(llm.KindConnectionReset))
			for range 200 {
				found, err := store.GetAll(ctx, []string{"a"})
				Expect(found).To(BeEmpty())
				Expect(err).To(MatchError(HavePrefix("redis: reset: not asked, so soon after: ")))
				Expect(err).To(MatchError(llm.KindConnectionReset))
			}
			Expect(store.Put(ctx, "b", "2")).To(MatchError(llm.KindConnectionReset))

			Expect(server.Restart()).To(Succeed())
			Expect(kindOf(ctx, store)).To(Equal(llm.KindConnectionReset), "it has its rest")
			w.pass(cache.DefaultCooldown)
			Expect(store.GetAll(ctx, []string{"a"})).To(HaveLen(1))
			Expect(store.Put(ctx, "b", "2")).To(Succeed())
		})

	It("makes a single call after the cooldown to test the server", func(ctx context.Context) {
		server.SetError("LOADING Redis is loading the dataset in memory")
		Expect(kindOf(ctx, store)).To(Equal(llm.KindServerError))
		asked := func() int {
			w.pass(cache.DefaultCooldown)
			before := server.CommandCount()
			Expect(kindOf(ctx, store)).To(Equal(llm.KindServerError))
			return server.CommandCount() - before
		}()
		w.pass(cache.DefaultCooldown)
		before := server.CommandCount()
		var all sync.WaitGroup
		for range 10 {
			all.Go(func() {
				defer GinkgoRecover()
				Expect(kindOf(ctx, store)).To(Equal(llm.KindServerError))
			})
		}
		all.Wait()
		Expect(server.CommandCount()-before).To(Equal(asked), "nine of them are told of the failure before")
		server.SetError("")
		w.pass(cache.DefaultCooldown)
		Expect(kindOf(ctx, store)).To(BeEmpty())
	})

	It("L6: leaves no goroutine after Close, and returns an error for later calls", func(ctx context.Context) {
		before := gleak.Goroutines()
		for i := range 50 {
			r, err := cache.NewRedis(cache.RedisConfig{URL: "redis://" + server.Addr()})
			Expect(err).NotTo(HaveOccurred())
			Expect(r.Put(ctx, "a", fmt.Sprint(i))).To(Succeed())
			Expect(r.Close()).To(Succeed())
			Expect(r.Put(ctx, "a", "late")).To(MatchError(ContainSubstring("client is closed")))
		}
		Eventually(gleak.Goroutines, 5*time.Second).ShouldNot(gleak.HaveLeaked(before))
	})

	It("28.13: reconnects without an error after the server was restarted, with any number of open connections",
		func(ctx context.Context) {
			var all sync.WaitGroup
			for i := range 8 {
				all.Go(func() {
					defer GinkgoRecover()
					Expect(store.Put(ctx, fmt.Sprint(i), "1")).To(Succeed())
				})
			}
			all.Wait()
			for range 3 {
				server.Close()
				Expect(server.Restart()).To(Succeed())
				Expect(store.GetAll(ctx, []string{"0", "7"})).To(HaveLen(2))
				Expect(store.Put(ctx, "8", "1")).To(Succeed())
			}
		})

	It("28.13: opens at most 16 connections, which all callers share", func(ctx context.Context) {
		var all sync.WaitGroup
		for i := range 200 {
			all.Go(func() {
				defer GinkgoRecover()
				Expect(store.Put(ctx, fmt.Sprint(i), "1")).To(Succeed())
			})
		}
		all.Wait()
		Expect(server.CurrentConnectionCount()).To(And(BeNumerically(">=", 1), BeNumerically("<=", 16)))
		Expect(server.TotalConnectionCount()).To(BeNumerically("<=", 16), "connections are reused")
	})

	It("does not count a call that its caller cancels as a failure of the server", func() {
		gone, cancel := context.WithCancel(context.Background())
		cancel()
		Expect(kindOf(gone, store)).To(Equal(llm.KindCanceled))
		Expect(kindOf(context.Background(), store)).To(BeEmpty())
	})

	DescribeTable("returns an error of the right kind for each error reply of the server",
		func(ctx context.Context, said string, want llm.ErrorKind) {
			server.SetError(said)
			Expect(kindOf(ctx, store)).To(Equal(want))
		},
		Entry(nil, "NOAUTH Authentication required.", llm.KindAuth),
		Entry(nil, "NOPERM this user has no permissions", llm.KindAuth),
		Entry(nil, "ERR invalid password", llm.KindAuth),
		Entry(nil, "ERR DB index is out of range", llm.KindBadRequest),
		Entry(nil, "ERR max number of clients reached", llm.KindServerError),
		Entry(nil, "OOM command not allowed when used memory > 'maxmemory'.", llm.KindServerError),
		Entry(nil, "READONLY You can't write against a read only replica.", llm.KindServerError),
	)

	Describe("with a password in its URL", func() {
		at := func(user string) string { return "redis://" + user + "@" + server.Addr() }
		BeforeEach(func() { server.RequireUserAuth("ann", "correct horse") })

		It("authenticates with that password", func(ctx context.Context) {
			r := redisAt(cache.RedisConfig{URL: at("ann:correct%20horse")})
			Expect(r.Put(ctx, "a", "1")).To(Succeed())
		})

		It("returns an authentication error for a wrong or missing password; the error does not contain the password",
			func(ctx context.Context) {
				r := redisAt(cache.RedisConfig{URL: at("ann:battery-staple")})
				err := r.Put(ctx, "a", "1")
				Expect(err).To(MatchError(llm.KindAuth))
				Expect(err.Error()).NotTo(ContainSubstring("staple"))
				_, err = r.GetAll(ctx, []string{"a"})
				Expect(err.Error()).NotTo(ContainSubstring("staple"))
				Expect(kindOf(ctx, redisAt(cache.RedisConfig{URL: "redis://" + server.Addr()}))).To(Equal(llm.KindAuth))
			})

		It("redacts the password if the server repeats it in an error", func(ctx context.Context) {
			server.SetError("WRONGPASS correct horse is not the password of ann")
			_, err := redisAt(cache.RedisConfig{URL: at("ann:correct%20horse")}).GetAll(ctx, []string{"a"})
			Expect(err).To(MatchError("redis: auth (WRONGPASS): WRONGPASS [redacted] is not the password of ann"))
		})
	})
})

var _ = Describe("A store in Redis, if the server is faulty,", func() {
	// listening accepts connections and passes each to serve. It returns the address.
	listening := func(serve func(net.Conn)) string {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		Expect(err).NotTo(HaveOccurred())
		DeferCleanup(l.Close)
		go func() {
			for {
				conn, err := l.Accept()
				if err != nil {
					return
				}
				DeferCleanup(conn.Close)
				go serve(conn)
			}
		}()
		return "redis://" + l.Addr().String()
	}
	saying := func(text string) func(net.Conn) {
		return func(c net.Conn) {
			_, _ = c.Read(make([]byte, 1024))
			_, _ = c.Write([]byte(text))
		}
	}

	It("L6: returns an error for each call if nothing listens at the address", func(ctx context.Context) {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		Expect(err).NotTo(HaveOccurred())
		Expect(l.Close()).To(Succeed())
		r := redisAt(cache.RedisConfig{URL: "redis://:passw0rd@" + l.Addr().String()})
		Expect(r.Put(ctx, "a", "1")).To(MatchError(llm.KindConnectionReset))
		Expect(kindOf(ctx, r)).To(Equal(llm.KindConnectionReset))
	})

	It("L6: makes only the first of 200 calls wait for a server that never replies", func() {
		r := redisAt(cache.RedisConfig{URL: listening(func(net.Conn) {}), Timeout: 50 * time.Millisecond,
			Now: (&manualClock{}).now})
		began := time.Now()
		simulate(func(ctx context.Context) {
			for range 200 {
				Expect(kindOf(ctx, r)).To(Equal(llm.KindTimeout))
			}
			Expect(clock.Since(ctx, midnight)).To(BeZero())
		})
		Expect(time.Since(began)).To(BeNumerically("<", 5*time.Second), "200 waits would be 10 s")
	})

	It("28.13: returns an error if the server's TLS certificate is invalid, or TLS is required but not configured",
		func(ctx context.Context) {
			folder := httptest.NewUnstartedServer(nil)
			folder.StartTLS() // provides a certificate
			DeferCleanup(folder.Close)
			server := miniredis.NewMiniRedis()
			Expect(server.StartTLS(folder.TLS)).To(Succeed())
			DeferCleanup(server.Close)
			r := redisAt(cache.RedisConfig{URL: "rediss://" + server.Addr(), Cooldown: time.Nanosecond})
			Eventually(func() error { return r.Put(ctx, "a", "1") }, 10*time.Second).
				Should(MatchError(ContainSubstring("certificate")))
			Expect(redisAt(cache.RedisConfig{URL: "redis://" + server.Addr(), Timeout: 50 * time.Millisecond}).
				Put(ctx, "a", "1")).NotTo(Succeed())
		})

	DescribeTable("returns an error for an invalid reply", func(ctx context.Context, text string) {
		r := redisAt(cache.RedisConfig{URL: listening(saying(text)), Timeout: 50 * time.Millisecond})
		found, err := r.GetAll(ctx, []string{"a"})
		Expect(err).To(BeAssignableToTypeOf(&llm.Error{}))
		Expect(found).To(BeEmpty())
	},
		Entry(nil, "HTTP/1.1 400 Bad Request\r\n\r\n"),
		Entry(nil, "*1\r\n$99999999999999999\r\n"),
		Entry(nil, "*9999999999999\r\n"),
		Entry(nil, "*2\r\n$1\r\na\r\n$1\r\nb\r\n"),
		Entry(nil, "*-5\r\n"),
		Entry(nil, "\r\n"),
		Entry(nil, strings.Repeat("*1\r\n", 100_000)),
	)
})

var _ = DescribeTable("a store in Redis is not created with an invalid configuration, and the error names the field",
	func(cfg cache.RedisConfig, want string) {
		_, err := cache.NewRedis(cfg)
		Expect(err).To(MatchError(want))
		Expect(err.Error()).NotTo(ContainSubstring("passw0rd"))
	},
	Entry("for a URL with a password but no scheme", cache.RedisConfig{URL: "me:hunter2@127.0.0.1:6379"},
		"cache.RedisConfig.URL: is not an address like redis://user:password@127.0.0.1:6379/0"),
	Entry("for a missing URL", cache.RedisConfig{},
		`cache.RedisConfig.URL: "" is not an address like redis://user:password@127.0.0.1:6379/0`),
	Entry("for a URL of another scheme", cache.RedisConfig{URL: "http://me:passw0rd@127.0.0.1/"},
		`cache.RedisConfig.URL: "http://[redacted]@127.0.0.1/" is not an address like redis://user:password@127.0.0.1:6379/0`),
	Entry("for an invalid port", cache.RedisConfig{URL: "redis://me:passw0rd@127.0.0.1:x"},
		`cache.RedisConfig.URL: "redis://[redacted]@127.0.0.1:x" is not an address like redis://user:password@127.0.0.1:6379/0`),
	Entry("for a database that is not a number", cache.RedisConfig{URL: "redis://me:passw0rd@127.0.0.1/one"},
		`cache.RedisConfig.URL: "redis://[redacted]@127.0.0.1/one": redis: invalid database number: "one"`),
	Entry("for a negative database number", cache.RedisConfig{URL: "redis://127.0.0.1/-1"},
		`cache.RedisConfig.URL: "redis://127.0.0.1/-1": redis: invalid database number: "-1"`),
	Entry("for a URL with a query", cache.RedisConfig{URL: "redis://127.0.0.1/0?read_timeout=1h"},
		`cache.RedisConfig.URL: "redis://127.0.0.1/0?read_timeout=1h": nothing goes behind the number of the database`),
	Entry("for a timeout longer than 500 ms", cache.RedisConfig{URL: "redis://127.0.0.1", Timeout: time.Second},
		"cache.RedisConfig.Timeout: 1s is not in 0..500ms"),
	Entry("for a negative cooldown", cache.RedisConfig{URL: "redis://127.0.0.1", Cooldown: -1},
		"cache.RedisConfig.Cooldown: -1ns is negative"),
	Entry("for a negative lifetime", cache.RedisConfig{URL: "redis://127.0.0.1", Limits: cache.StoreConfig{TTL: -1}},
		"cache.StoreConfig.TTL: -1ns is negative"),
)
