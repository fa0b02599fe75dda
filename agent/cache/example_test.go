package cache_test

import (
	"context"
	"fmt"
	"time"

	"evalctl/agent/cache"
	"evalctl/agent/clock"
)

func Example() {
	answers, err := cache.New[string](cache.Config{MaxEntries: 100, TTL: time.Hour})
	if err != nil {
		fmt.Println(err)
		return
	}
	start := time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)
	err = clock.RunSimulated(context.Background(), start, func(ctx context.Context) error {
		key := cache.Key("qwen-plus", "画一只猫")
		answers.Put(ctx, key, "generate_image")
		fmt.Println(answers.Get(ctx, key))
		if err := clock.Sleep(ctx, time.Hour); err != nil {
			return err
		}
		fmt.Println(answers.Get(ctx, key))
		return nil
	})
	fmt.Println(err)
	// Output:
	// generate_image true
	//  false
	// <nil>
}
