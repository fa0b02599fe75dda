package limit_test

import (
	"context"
	"flag"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/time/rate"

	"evalctl/agent/clock"
	"evalctl/agent/limit"
	"evalctl/agent/llm"
)

var inRealTime = flag.Bool("real-time", false, "find the limit of a provider over loopback, in a minute of real time")

// TestRealTime checks the estimated rate with a real server that permits 10 requests per second,
// for a minute.
func TestRealTime(t *testing.T) {
	if !*inRealTime {
		t.Skip("takes a minute: make limits")
	}
	var taken, sent atomic.Int64
	bucket := rate.NewLimiter(10, 10)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		sent.Add(1)
		if !bucket.Allow() {
			http.Error(w, `{"error":{"message":"slow down","code":"rate_limit_exceeded"}}`, http.StatusTooManyRequests)
			return
		}
		<-time.After(50 * time.Millisecond)
		taken.Add(1)
	}))
	defer server.Close()
	p, _ := llm.LookupProvider("")
	client := &http.Client{Transport: limit.New(limit.Config{}).Transport(p, "loopback", "", http.DefaultTransport)}
	ctx, cancel := clock.WithTimeout(context.Background(), time.Hour)
	over := time.Now().Add(time.Minute)
	var all sync.WaitGroup
	for range 16 {
		all.Go(func() {
			for time.Now().Before(over) {
				r, err := http.NewRequestWithContext(ctx, http.MethodGet, server.URL, nil)
				if err != nil {
					t.Error(err)
					return
				}
				resp, err := client.Do(r)
				if err != nil {
					return
				}
				_, _ = io.Copy(io.Discard, resp.Body)
				_ = resp.Body.Close()
			}
		})
	}
	<-time.After(30 * time.Second)
	takenAt, sentAt := taken.Load(), sent.Load()
	<-time.After(30 * time.Second)
	found, asked := float64(taken.Load()-takenAt)/30, float64(sent.Load()-sentAt)/30
	cancel()
	all.Wait()
	t.Logf("from 30 s to 60 s: %.2f taken a second, of %.2f sent; 10 are permitted", found, asked)
	if found < 9 || found > 10.4 || asked > 11 {
		t.Fail()
	}
}
