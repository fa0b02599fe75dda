package digest_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/clock"
	"evalctl/agent/scholar/digest"
	"evalctl/agent/trace"
)

func TestDigest(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "Digest")
}

var midnight = time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC)

var errDown = errors.New("down")

// play runs f in simulated time and returns its duration.
func play(f func(ctx context.Context)) (duration time.Duration) {
	GinkgoHelper()
	Expect(clock.RunSimulated(context.Background(), midnight, func(ctx context.Context) error {
		f(ctx)
		duration = clock.Since(ctx, midnight)
		return nil
	})).To(Succeed())
	return duration
}

// recordedEvents records events.
type recordedEvents struct {
	mu     sync.Mutex
	events []trace.Event
}

func (h *recordedEvents) of(kind trace.Kind) (list []trace.Event) {
	for _, e := range h.events {
		if e.Kind == kind {
			list = append(list, e)
		}
	}
	return list
}

func (h *recordedEvents) on(ctx context.Context) context.Context {
	return trace.WithRecorder(ctx, func(e trace.Event) {
		h.mu.Lock()
		defer h.mu.Unlock()
		h.events = append(h.events, e)
	})
}

func about(e trace.Event) (a digest.DocumentEvent) {
	GinkgoHelper()
	Expect(json.Unmarshal(e.Data, &a)).To(Succeed())
	return a
}

// calls counts calls of one second each, and how many run concurrently.
type calls struct {
	mu              sync.Mutex
	now, peak, made int
}

func (c *calls) call(ctx context.Context) error {
	c.mu.Lock()
	c.now++
	c.made++
	c.peak = max(c.peak, c.now)
	c.mu.Unlock()
	err := clock.Sleep(ctx, time.Second)
	c.mu.Lock()
	c.now--
	c.mu.Unlock()
	return err
}

// documents returns n small documents.
func documents(n int) (list []digest.Document) {
	for i := range n {
		list = append(list, digest.Document{ID: fmt.Sprintf("d%03d", i), Title: fmt.Sprintf("Title %d", i),
			Text: fmt.Sprintf("the text of %d", i)})
	}
	return list
}

// settings returns a configuration with ten concurrent calls. The summary is "summary of " and the
// first 50 bytes of the text.
func settings(ctx context.Context, c *calls) digest.Config {
	return digest.Config{Semaphore: clock.NewSemaphore(ctx, "calls", 10), MaxFullTextTokens: 100, Version: "v1",
		Summarize: func(ctx context.Context, d digest.Document, text string, piece func(string)) (string, error) {
			if err := c.call(ctx); err != nil {
				return "", err
			}
			piece("summary of ")
			piece(text[:min(len(text), 50)])
			return "summary of " + text[:min(len(text), 50)], nil
		}}
}

// store is a summary cache in memory that may fail.
type store struct {
	mu            sync.Mutex
	kept          map[string]string
	looks, stored int
	down          bool
	dieAfter      int // number of successful calls of Put; 0: no limit
}

func (s *store) GetAll(_ context.Context, keys []string) (map[string]string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.looks++
	found := map[string]string{}
	for i, key := range keys {
		if s.down && i >= len(keys)/2 { // half of the values were read
			return found, errDown
		}
		if v, ok := s.kept[key]; ok {
			found[key] = v
		}
	}
	return found, nil
}

func (s *store) Put(_ context.Context, key, value string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stored++; s.dieAfter > 0 && s.stored > s.dieAfter {
		s.down = true
	}
	if s.down {
		return errDown
	}
	if s.kept == nil {
		s.kept = map[string]string{}
	}
	s.kept[key] = value
	return nil
}
