package cache_test

import (
	"context"
	"fmt"
	"math"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/cache"
	"evalctl/agent/clock"
)

var midnight = time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC)

func simulate(f func(ctx context.Context)) {
	GinkgoHelper()
	Expect(clock.RunSimulated(context.Background(), midnight, func(ctx context.Context) error { f(ctx); return nil })).
		To(Succeed())
}

func newCache(cfg cache.Config) *cache.Cache[int] {
	GinkgoHelper()
	c, err := cache.New[int](cfg)
	Expect(err).NotTo(HaveOccurred())
	return c
}

// existingKeys returns those of the keys that the cache contains.
func existingKeys(ctx context.Context, c *cache.Cache[int], keys ...string) (there []string) {
	for _, key := range keys {
		if _, ok := c.Get(ctx, key); ok {
			there = append(there, key)
		}
	}
	return there
}

var _ = Describe("A cache", func() {
	ctx := context.Background()

	It("returns the last stored value of a key", func() {
		c := newCache(cache.Config{})
		_, ok := c.Get(ctx, "a")
		Expect(ok).To(BeFalse())
		c.Put(ctx, "a", 1)
		c.Put(ctx, "a", 2)
		v, ok := c.Get(ctx, "a")
		Expect(ok).To(BeTrue())
		Expect(v).To(Equal(2))
		v, ok = c.Get(ctx, "b")
		Expect(ok).To(BeFalse())
		Expect(v).To(BeZero())
	})

	It("evicts the least recently used entry; both Get and Put count as use", func() {
		c := newCache(cache.Config{MaxEntries: 2})
		c.Put(ctx, "a", 1)
		c.Put(ctx, "b", 2)
		c.Get(ctx, "a")
		c.Put(ctx, "c", 3)
		Expect(existingKeys(ctx, c, "a", "b", "c")).To(Equal([]string{"a", "c"}))
	})

	It("has room for 1024 entries by default", func() {
		c := newCache(cache.Config{})
		for i := range 1025 {
			c.Put(ctx, fmt.Sprint(i), i)
		}
		Expect(existingKeys(ctx, c, "0", "1", "1024")).To(Equal([]string{"1", "1024"}))
	})

	DescribeTable("S10: returns an entry until its lifetime ends, on the clock of the context",
		func(ttl, after time.Duration, there bool) {
			c := newCache(cache.Config{TTL: ttl})
			simulate(func(ctx context.Context) {
				c.Put(ctx, "a", 7)
				Expect(clock.Sleep(ctx, after)).To(Succeed())
				v, ok := c.Get(ctx, "a")
				Expect(ok).To(Equal(there))
				Expect(v != 0).To(Equal(there))
			})
		},
		Entry("for a lifetime of 5 minutes, 1 ns before its end", 5*time.Minute, 5*time.Minute-1, true),
		Entry("not at the end of a lifetime of 5 minutes", 5*time.Minute, 5*time.Minute, false),
		Entry("not at the end of a lifetime of an hour", time.Hour, time.Hour, false),
		Entry("for an unlimited lifetime, after 23 hours", time.Duration(0), 23*time.Hour, true),
	)

	It("renews the lifetime of an entry at a Put, but not at a Get", func() {
		c := newCache(cache.Config{TTL: 3 * time.Second})
		simulate(func(ctx context.Context) {
			c.Put(ctx, "put", 1)
			c.Put(ctx, "got", 1)
			Expect(clock.Sleep(ctx, 2*time.Second)).To(Succeed())
			c.Put(ctx, "put", 2)
			c.Get(ctx, "got")
			Expect(clock.Sleep(ctx, 2*time.Second)).To(Succeed())
			Expect(existingKeys(ctx, c, "put", "got")).To(Equal([]string{"put"}))
		})
	})

	It("removes an expired entry at a Get, which frees its room for another entry", func() {
		c := newCache(cache.Config{MaxEntries: 2, TTL: time.Second})
		simulate(func(ctx context.Context) {
			c.Put(ctx, "old", 1)
			Expect(clock.Sleep(ctx, 900*time.Millisecond)).To(Succeed())
			c.Put(ctx, "young", 2)
			Expect(clock.Sleep(ctx, 100*time.Millisecond)).To(Succeed())
			Expect(existingKeys(ctx, c, "old")).To(BeEmpty())
			c.Put(ctx, "new", 3)
			Expect(existingKeys(ctx, c, "young", "new")).To(Equal([]string{"young", "new"}))
		})
	})

	It("is always empty if its pointer is nil", func() {
		var c *cache.Cache[int]
		c.Put(ctx, "a", 1)
		Expect(existingKeys(ctx, c, "a")).To(BeEmpty())
	})

	It("is safe for concurrent use", func() {
		c := newCache(cache.Config{MaxEntries: 8, TTL: time.Microsecond})
		g, _ := clock.NewGroup(ctx, 0)
		for i := range 16 {
			g.Go("user", func(ctx context.Context) error {
				for j := range 500 {
					c.Put(ctx, fmt.Sprint((i+j)%12), j)
					c.Get(ctx, fmt.Sprint(j%12))
				}
				return nil
			})
		}
		Expect(g.Wait()).To(Succeed())
	})

	DescribeTable("is not created with an invalid configuration, and the error names the field",
		func(cfg cache.Config, want string) {
			_, err := cache.New[int](cfg)
			Expect(err).To(MatchError(want))
		},
		Entry("for a negative size", cache.Config{MaxEntries: -1}, "cache.Config.MaxEntries: -1 is negative"),
		Entry("for a negative lifetime", cache.Config{TTL: -1}, "cache.Config.TTL: -1ns is negative"),
	)
})

var _ = Describe("A cache key", func() {
	type call struct {
		Model string
		Slots map[string]int
	}

	It("is the same for equal parts, in every process", func() {
		one := cache.Key("rag", call{"m", map[string]int{"a": 1, "b": 2}}, 0.3)
		Expect(one).To(Equal("337376fd4458f47fa1e29b9a1d09dfbf8234406e86fa2d8dbcdb67a5af488016"))
		for range 100 {
			Expect(cache.Key("rag", call{"m", map[string]int{"b": 2, "a": 1}}, 0.3)).To(Equal(one))
		}
	})

	It("differs if the parts have other values, another order, another type, or are split differently", func() {
		keys := map[string]bool{}
		for _, parts := range [][]any{
			{}, {nil}, {""}, {"", ""}, {"ab"}, {"a", "b"}, {"b", "a"}, {"ab", ""}, {`a","b`}, {1}, {"1"}, {1, 2},
			{12}, {[]int{1, 2}},
			{call{}}, {call{Model: "m"}}, {call{Slots: map[string]int{}}}, {true}, {"true"},
		} {
			keys[cache.Key(parts...)] = true
		}
		Expect(keys).To(HaveLen(19))
	})

	It("cannot be computed for a part that JSON cannot encode, which causes a panic", func() {
		Expect(func() { cache.Key(math.NaN()) }).
			To(PanicWith(MatchError(ContainSubstring("cache key: json: unsupported value"))))
	})
})
