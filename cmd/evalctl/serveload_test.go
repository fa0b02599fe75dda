package main

import (
	"bufio"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	. "github.com/onsi/gomega"

	"evalctl/agent/studio"
)

var serveLoad = flag.Duration("serve-load", 0, "have 200 clients talk to the studio over HTTP for so long")

// loadClients is the number of clients that send requests at the same time.
const loadClients = 200

// TestServeLoad streams answers of the studio to many clients, with mocks in real time. Every
// stream must be complete and ordered, the heap must not grow, and no goroutine may leak.
func TestServeLoad(t *testing.T) {
	if *serveLoad == 0 {
		t.Skip("run it with make serve-load")
	}
	g := NewWithT(t)
	f := serveFlags{agentFlags: agentFlags{seed: 1}, maxBody: 1 << 20, maxRuns: loadClients, timeout: time.Minute}
	handler, err := f.service(context.Background(), []string{"studio"}, io.Discard)
	g.Expect(err).NotTo(HaveOccurred())
	before := runtime.NumGoroutine()
	server := httptest.NewServer(handler)
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: loadClients}}
	ctx, stop := context.WithTimeout(t.Context(), *serveLoad)
	defer stop()

	var clients sync.WaitGroup
	times, failures := make([][]time.Duration, loadClients), make(chan error, loadClients)
	for i := range loadClients {
		clients.Go(func() {
			for n := 0; ctx.Err() == nil; n++ {
				duration, err := streamOnce(t.Context(), client, server.URL, i, n)
				if err != nil {
					failures <- fmt.Errorf("client %d, request %d: %w", i, n, err)
					return
				}
				times[i] = append(times[i], duration)
			}
		})
	}
	heap := heapOf(ctx, *serveLoad/12)
	clients.Wait()
	close(failures)
	for err := range failures {
		t.Error(err)
	}
	g.Expect(handler.AnswersInProgress()).To(BeZero())
	client.CloseIdleConnections()
	server.Close()
	g.Eventually(runtime.NumGoroutine).WithTimeout(5 * time.Second).Should(BeNumerically("<=", before))

	all := slices.Concat(times...)
	slices.Sort(all)
	early, late := slices.Max(heap[len(heap)/3:2*len(heap)/3]), slices.Max(heap[2*len(heap)/3:])
	t.Logf("%d clients, %v: %d streams, %.0f a second, p50 %v, p95 %v; heap after GC %.1f MiB in the second third, %.1f in the last; goroutines %d before, %d after",
		loadClients, *serveLoad, len(all), float64(len(all))/serveLoad.Seconds(), all[len(all)/2], all[len(all)*95/100],
		early, late, before, runtime.NumGoroutine())
	g.Expect(late).To(BeNumerically("<=", early*1.2+8))
}

// heapOf measures the live heap in MiB at intervals until ctx ends.
func heapOf(ctx context.Context, every time.Duration) (list []float64) {
	for ctx.Err() == nil {
		select {
		case <-ctx.Done():
		case <-time.After(every):
			runtime.GC()
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			list = append(list, float64(m.HeapAlloc)/(1<<20))
		}
	}
	return list
}

// streamOnce requests an image, reads the stream to its end, and returns its duration.
func streamOnce(ctx context.Context, client *http.Client, url string, who, n int) (time.Duration, error) {
	body := fmt.Sprintf(`{"text":"画一只第 %d 号的水彩小猫，第 %d 次","sessionId":"s%d-%d"}`, who, n, who, n/5)
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, url+"/v1/agents/studio/chat", strings.NewReader(body))
	if err != nil {
		return 0, err
	}
	began := time.Now()
	resp, err := client.Do(r)
	if err != nil {
		return 0, err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return 0, fmt.Errorf("status %s", resp.Status)
	}
	err = checkStream(resp.Body)
	return time.Since(began), err
}

// checkStream returns an error if the events of the studio are not in the right order, with done at
// the end.
func checkStream(body io.Reader) error {
	var order strings.Builder
	ended := 0
	lines := bufio.NewScanner(body)
	for lines.Scan() {
		data, ok := strings.CutPrefix(lines.Text(), "data: ")
		if !ok {
			continue
		}
		var e struct {
			Type string `json:"type"`
			Data struct {
				Node string `json:"node"`
			} `json:"data"`
		}
		if err := json.Unmarshal([]byte(data), &e); err != nil {
			return fmt.Errorf("event %q: %w", data, err)
		}
		switch {
		case ended > 0:
			return fmt.Errorf("%s follows done", e.Type)
		case e.Type == "done":
			ended++
		case e.Type == "gen_ui_component":
			e.Data.Node = "genui" // components do not name their node
			fallthrough
		default:
			order.WriteString(e.Type + ":" + e.Data.Node + " ")
		}
	}
	if err := lines.Err(); err != nil {
		return err
	}
	if ended != 1 || !studio.EventOrderPattern(studio.ProfileV2).MatchString(order.String()) {
		return fmt.Errorf("%d ends, out of order: %s", ended, order.String())
	}
	return nil
}
