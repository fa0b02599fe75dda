package service_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	. "github.com/onsi/gomega"

	"evalctl/agent"
	"evalctl/agent/clock"
	"evalctl/agent/service"
	"evalctl/agent/trace"
)

const (
	loadEvents = 10 // number of events of an answer, without done
	leaveEvery = 20 // in one of this many answers, the client disconnects after the first event
)

// TestServeLoad has many clients receive answers over the network at once. With
// EVALCTL_SERVE_LOAD=30s, 200 clients run for 30 s; otherwise fewer run for a short time.
func TestServeLoad(t *testing.T) {
	g := NewWithT(t)
	clients, length := 50, 1500*time.Millisecond
	if text := os.Getenv("EVALCTL_SERVE_LOAD"); text != "" {
		d, err := time.ParseDuration(text)
		g.Expect(err).NotTo(HaveOccurred(), "EVALCTL_SERVE_LOAD")
		clients, length = 200, d
	}
	before := runtime.NumGoroutine()
	s, err := service.New(only(counting))
	g.Expect(err).NotTo(HaveOccurred())
	server := httptest.NewServer(s)
	transport := &http.Transport{MaxIdleConnsPerHost: clients}

	l := &load{client: &http.Client{Transport: transport}, url: server.URL, until: time.Now().Add(length),
		times: make([][]time.Duration, clients)}
	group, ctx := clock.NewGroup(t.Context(), 0)
	for i := range clients {
		group.Go("client", func(ctx context.Context) error { return l.play(ctx, i) })
	}
	heap, peak := l.watch(ctx, length/30)
	g.Expect(group.Wait()).To(Succeed())
	g.Eventually(s.AnswersInProgress).WithTimeout(5 * time.Second).Should(BeZero())
	transport.CloseIdleConnections()
	server.Close()
	g.Eventually(runtime.NumGoroutine).WithTimeout(5 * time.Second).Should(BeNumerically("<=", before))

	first, last := third(heap, 0), third(heap, 2)
	l.report(t, clients, length)
	t.Logf("heap after GC: %.1f MiB in the first third, %.1f MiB in the last; goroutines: %d before, %d at most, %d after",
		mib(first), mib(last), before, peak, runtime.NumGoroutine())
	g.Expect(last).To(BeNumerically("~", first, first/5+8<<20))
	g.Expect(slices.Concat(l.times...)).NotTo(BeEmpty())
}

// counting is an agent that counts up in its events for about 100 ms.
func counting(ctx context.Context, t agent.Turn, emit func(trace.Event)) (agent.Reply, error) {
	for i := range loadEvents {
		if err := clock.Sleep(ctx, time.Duration(2+(i*7+len(t.Session))%17)*time.Millisecond); err != nil {
			return agent.Reply{}, err
		}
		emit(trace.Event{Kind: trace.KindSpan})
		emit(trace.Event{Kind: loadKind(i), Text: fmt.Sprintf("%s/%d", t.Text, i)})
	}
	return agent.Reply{Content: t.Text}, nil
}

func loadKind(i int) trace.Kind {
	if i%2 == 0 {
		return trace.KindThoughtLog
	}
	return trace.KindChunk
}

// countingReader returns the exact stream that a client must receive from counting.
func countingReader(text, session string) string {
	var b strings.Builder
	for i := range loadEvents {
		data := fmt.Sprintf(`{"text":"%s/%d"}`, text, i)
		if loadKind(i) == trace.KindThoughtLog {
			data = fmt.Sprintf(`{"node":"","message":"%s/%d"}`, text, i)
		}
		fmt.Fprintf(&b, "event: %[1]s\ndata: {\"type\":%[1]q,\"data\":%s}\n\n", loadKind(i), data)
	}
	fmt.Fprintf(&b, "event: done\ndata: {\"type\":\"done\",\"data\":{\"content\":%q,\"answeredBy\":\"\",\"predicted\":\"\",\"sessionId\":%q}}\n\n", text, session)
	return b.String()
}

type load struct {
	client *http.Client
	url    string
	until  time.Time
	times  [][]time.Duration // durations of complete answers, by client
	left   atomic.Int64      // number of answers that clients abandoned
}

func (l *load) play(ctx context.Context, client int) error {
	for n := client; clock.Now(ctx).Before(l.until); n++ {
		text, session := fmt.Sprintf("%d-%d", client, n), fmt.Sprintf("s%d", client)
		if n%leaveEvery == 0 {
			if err := l.leave(ctx, text, session); err != nil {
				return err
			}
			continue
		}
		began := clock.Now(ctx)
		r, err := l.ask(ctx, text, session)
		if err != nil {
			return err
		}
		body, err := io.ReadAll(r.Body)
		if err := errors.Join(err, r.Body.Close()); err != nil {
			return err
		}
		if want := countingReader(text, session); withoutIDs(string(body)) != want {
			return fmt.Errorf("stream %s: got %q, want %q", text, body, want)
		}
		l.times[client] = append(l.times[client], clock.Since(ctx, began))
	}
	return nil
}

func (l *load) leave(ctx context.Context, text, session string) error {
	ctx, goAway := context.WithCancel(ctx)
	defer goAway()
	r, err := l.ask(ctx, text, session)
	if err != nil {
		return err
	}
	if line, err := bufio.NewReader(r.Body).ReadString('\n'); err != nil || line != "event: thought_log\n" {
		return fmt.Errorf("stream %s begins with %q: %w", text, line, err)
	}
	l.left.Add(1)
	return nil
}

func (l *load) ask(ctx context.Context, text, session string) (*http.Response, error) {
	r, err := post(ctx, l.client, l.url, fmt.Sprintf(`{"text":%q,"sessionId":%q}`, text, session))
	if err == nil && r.StatusCode != http.StatusOK {
		err = errors.Join(fmt.Errorf("stream %s: %s", text, r.Status), r.Body.Close())
	}
	return r, err
}

// watch records the heap size and the number of goroutines until all clients have ended or one
// fails.
func (l *load) watch(ctx context.Context, every time.Duration) (heap []uint64, goroutines int) {
	for clock.Now(ctx).Before(l.until) && clock.Sleep(ctx, every) == nil {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		heap = append(heap, m.HeapAlloc)
		goroutines = max(goroutines, runtime.NumGoroutine())
	}
	return heap, goroutines
}

func (l *load) report(t *testing.T, clients int, length time.Duration) {
	all := slices.Sorted(slices.Values(slices.Concat(l.times...)))
	if len(all) == 0 {
		return
	}
	streams := float64(len(all)) / length.Seconds()
	t.Logf("%d clients for %v: %d streams whole and in order, %d left by their clients; %.0f streams/s, %.0f events/s; a stream takes p50 %v, p95 %v, at most %v",
		clients, length, len(all), l.left.Load(), streams, streams*(loadEvents+1),
		all[len(all)/2].Round(time.Millisecond), all[len(all)*95/100].Round(time.Millisecond),
		all[len(all)-1].Round(time.Millisecond))
}

// third returns the median of the first, second or last third of the samples, to detect growth.
func third(samples []uint64, which int) uint64 {
	n := len(samples) / 3
	if n == 0 {
		return 0
	}
	part := slices.Sorted(slices.Values(samples[which*n : (which+1)*n]))
	return part[n/2]
}

func mib(bytes uint64) float64 { return float64(bytes) / (1 << 20) }
