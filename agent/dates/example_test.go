package dates_test

import (
	"fmt"
	"time"

	"evalctl/agent/dates"
)

func ExampleFind() {
	now := time.Date(2026, time.November, 18, 10, 0, 0, 0, time.FixedZone("", 8*60*60))
	for _, text := range []string{"大前天聊了啥", "上周和昨天", "2024-02-30那天", "明天见"} {
		r := dates.Find(text, now)
		fmt.Printf("%q %v\n", r, r.Invalid)
	}
	// Output:
	// "2026-11-15" []
	// "2026-11-09..2026-11-15,2026-11-17" []
	// "" [{2024-02-30 invalid_date}]
	// "" []
}
