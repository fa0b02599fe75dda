package cache_test

import (
	"strings"
	"testing"
	"time"

	"evalctl/agent/cache"
)

// BenchmarkNew measures the cost of a cache that a trial does not use.
func BenchmarkNew(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := cache.New[string](cache.Config{TTL: time.Hour}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkFirstUse measures a new cache with one Put and one Get.
func BenchmarkFirstUse(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		c, err := cache.New[string](cache.Config{TTL: time.Hour})
		if err != nil {
			b.Fatal(err)
		}
		c.Put(b.Context(), "key", "value")
		if _, ok := c.Get(b.Context(), "key"); !ok {
			b.Fatal("forgotten")
		}
	}
}

func BenchmarkGet(b *testing.B) {
	c, err := cache.New[string](cache.Config{TTL: time.Hour})
	if err != nil {
		b.Fatal(err)
	}
	c.Put(b.Context(), "key", "value")
	b.ReportAllocs()
	for b.Loop() {
		c.Get(b.Context(), "key")
	}
}

func BenchmarkKey(b *testing.B) {
	prompt := strings.Repeat("一只坐在屋顶上的猫，", 50)
	b.ReportAllocs()
	for b.Loop() {
		cache.Key("planner", "deepseek-chat", prompt)
	}
}
