package limit_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"slices"
	"strconv"
	"time"

	. "github.com/onsi/gomega"

	"evalctl/agent/clock"
	"evalctl/agent/limit"
	"evalctl/agent/llm"
)

var noon = time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)

// provider simulates a provider that refuses requests: with a token bucket (rate, burst), with a
// limit on concurrent requests, and at random (share).
type provider struct {
	rate, burst float64
	concurrent  int
	share       float64
	window      int // requests per clock minute; 0: no limit
	retryAfter  time.Duration
	latency     time.Duration
	usage       string // body of its answers

	random   *rand.Rand
	tokens   float64
	last     time.Time
	underWay int
	minute   time.Time
	inMinute int
	taken    []time.Duration // times of accepted requests, since noon
	refused  []time.Duration
	spread   time.Duration
}

func (p *provider) RoundTrip(r *http.Request) (*http.Response, error) {
	ctx := r.Context()
	p.underWay++
	defer func() { p.underWay-- }()
	if r.Body != nil {
		_, _ = io.Copy(io.Discard, r.Body)
		_ = r.Body.Close()
	}
	now := clock.Now(ctx)
	if !p.takes(now) {
		p.refused = append(p.refused, now.Sub(noon))
		if err := clock.Sleep(ctx, 20*time.Millisecond); err != nil {
			return nil, err
		}
		resp := reply(http.StatusTooManyRequests, `{"error":{"message":"slow down","code":"rate_limit_exceeded"}}`)
		wait := p.retryAfter
		if p.window > 0 {
			wait = p.minute.Add(time.Minute).Sub(now).Round(time.Second) + time.Second
		}
		if wait > 0 {
			resp.Header.Set("Retry-After", strconv.Itoa(int(wait.Seconds())))
		}
		return resp, nil
	}
	p.taken = append(p.taken, now.Sub(noon))
	err := clock.Sleep(ctx, p.latency+time.Duration(p.random.Float64()*float64(p.spread)))
	return reply(http.StatusOK, p.usage), err
}

func (p *provider) takes(now time.Time) bool {
	if p.concurrent > 0 && p.underWay > p.concurrent || p.share > 0 && p.random.Float64() < p.share {
		return false
	}
	if p.window > 0 {
		if m := now.Truncate(time.Minute); m != p.minute {
			p.minute, p.inMinute = m, 0
		}
		p.inMinute++
		return p.inMinute <= p.window
	}
	if p.rate == 0 {
		return true
	}
	p.tokens = min(p.burst, p.tokens+p.rate*now.Sub(p.last).Seconds())
	p.last = now
	if p.tokens < 1 {
		return false
	}
	p.tokens--
	return true
}

func reply(status int, text string) *http.Response {
	return &http.Response{StatusCode: status, Header: http.Header{}, Body: io.NopCloser(bytes.NewReader([]byte(text)))}
}

// between counts the times in an interval.
func between(list []time.Duration, from, to time.Duration) float64 {
	n := 0
	for _, t := range list {
		if t >= from && t < to {
			n++
		}
	}
	return float64(n)
}

// drive runs workers until end. Each sends one request after another. It returns the
// number of failed requests.
func drive(p *provider, cfg limit.Config, workers int, end time.Duration) (failed int) {
	p.random, p.tokens, p.last = rand.New(rand.NewPCG(1, 2)), p.burst, noon
	generic, _ := llm.LookupProvider("")
	way := limit.New(cfg).Transport(generic, "example.com", "key", p)
	Expect(clock.RunSimulated(context.Background(), noon, func(ctx context.Context) error {
		g, _ := clock.NewGroup(ctx, 0)
		for i := range workers {
			g.Go(fmt.Sprint("worker ", i), func(ctx context.Context) error {
				for clock.Now(ctx).Sub(noon) < end {
					resp, err := way.RoundTrip(request(ctx, `{"messages":[],"max_tokens":1}`))
					if err != nil {
						return err
					}
					if resp.StatusCode != http.StatusOK {
						failed++
					}
					_, _ = io.Copy(io.Discard, resp.Body)
					_ = resp.Body.Close()
				}
				return nil
			})
		}
		return g.Wait()
	})).To(Succeed())
	slices.Sort(p.taken)
	return failed
}

func request(ctx context.Context, body string) *http.Request {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://example.com/v1", bytes.NewReader([]byte(body)))
	Expect(err).NotTo(HaveOccurred())
	return r
}
