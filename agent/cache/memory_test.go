package cache_test

import (
	"context"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/cache"
	"evalctl/agent/clock"
	"evalctl/agent/llm"
)

func memory(cfg cache.StoreConfig) *cache.Memory {
	GinkgoHelper()
	m, err := cache.NewMemory(cfg)
	Expect(err).NotTo(HaveOccurred())
	return m
}

var _ = Describe("A store in memory", func() {
	It("L6: returns the values of those requested keys that exist", func(ctx context.Context) {
		m := memory(cache.StoreConfig{})
		Expect(m.Put(ctx, "a", "1")).To(Succeed())
		Expect(m.Put(ctx, "b", "2")).To(Succeed())
		Expect(m.Put(ctx, "b", "")).To(Succeed())
		Expect(m.GetAll(ctx, []string{"a", "b", "c", "a"})).To(Equal(map[string]string{"a": "1", "b": ""}))
		Expect(m.GetAll(ctx, nil)).To(BeEmpty())
	})

	It("L6: returns a value for 7 days, on the clock of the context", func() {
		m := memory(cache.StoreConfig{})
		begin := time.Date(2026, 11, 22, 0, 0, 0, 0, time.UTC)
		at := func(after time.Duration) map[string]string {
			var found map[string]string
			Expect(clock.RunSimulated(context.Background(), begin.Add(after), func(ctx context.Context) (err error) {
				found, err = m.GetAll(ctx, []string{"a"})
				return err
			})).To(Succeed())
			return found
		}
		Expect(clock.RunSimulated(context.Background(), begin,
			func(ctx context.Context) error { return m.Put(ctx, "a", "1") })).
			To(Succeed())
		Expect(at(7*24*time.Hour - 1)).To(HaveLen(1))
		Expect(at(7 * 24 * time.Hour)).To(BeEmpty())
	})

	It("rejects a value or key that is too long", func(ctx context.Context) {
		m := memory(cache.StoreConfig{MaxValue: 3})
		Expect(m.Put(ctx, "a", "123")).To(Succeed())
		err := m.Put(ctx, "a", "1234")
		Expect(err).To(MatchError("cache: bad_request: a text of 4 bytes is longer than 3"))
		Expect(err).To(MatchError(llm.KindBadRequest))
		Expect(m.Put(ctx, strings.Repeat("k", cache.MaxKey+1), "1")).
			To(MatchError("cache: bad_request: a key of 4097 bytes is longer than 4096"))
		Expect(m.GetAll(ctx, []string{"a"})).To(Equal(map[string]string{"a": "123"}))
	})

	It("evicts the least recently used entry", func(ctx context.Context) {
		m := memory(cache.StoreConfig{MaxEntries: 1})
		Expect(m.Put(ctx, "a", "1")).To(Succeed())
		Expect(m.Put(ctx, "b", "2")).To(Succeed())
		Expect(m.GetAll(ctx, []string{"a", "b"})).To(Equal(map[string]string{"b": "2"}))
	})

	DescribeTable("is not created with an invalid configuration, and the error names the field",
		func(cfg cache.StoreConfig, want string) {
			_, err := cache.NewMemory(cfg)
			Expect(err).To(MatchError(want))
		},
		Entry("for a negative size", cache.StoreConfig{MaxEntries: -1},
			"cache.StoreConfig: cache.Config.MaxEntries: -1 is negative"),
		Entry("for a negative lifetime", cache.StoreConfig{TTL: -1}, "cache.StoreConfig.TTL: -1ns is negative"),
		Entry("for a negative maximum length", cache.StoreConfig{MaxValue: -1},
			"cache.StoreConfig.MaxValue: -1 is negative"),
	)
})
