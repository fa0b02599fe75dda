package mocks_test

import (
	"context"
	"errors"
	"net/http"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/clock"
	"evalctl/mocks"
	"evalctl/mocks/component"
	"evalctl/mocks/fault"
	"evalctl/mocks/latency"
	"evalctl/mocks/transport"
)

var _ = Describe("Server.CallLocal", func() {
	It("gives each component the same latencies as before the role structured was added", func() {
		l := map[string]latency.Latency{}
		for _, part := range component.Roles() {
			l[string(part)] = latency.LogNormal(time.Second, 0.4)
		}
		s, duration := newServer(mocks.Config{Seed: 3, Latency: l}), map[string]int64{}
		simulate(s, func(ctx context.Context, _ *http.Client) {
			for part := range l {
				start := clock.Now(ctx)
				Expect(s.SimulateLocalCall(ctx, part)).To(Succeed())
				duration[part] = clock.Since(ctx, start).Milliseconds()
			}
		})
		Expect(duration).To(Equal(map[string]int64{"router": 1528, "chat": 800, "structured": 1168, "vision": 829,
			"critic": 758, "search": 965,
			"image": 801, "poll": 669, "embedding": 889, "store": 582, "grader": 1117, "retrieval": 1154,
			"search_engine": 752}))
	})

	with := func(spec string, l latency.Latency) *mocks.Server {
		GinkgoHelper()
		cfg := mocks.Config{Latency: map[string]latency.Latency{"store": l, "image": l}}
		if spec != "" {
			var err error
			cfg.Faults, err = fault.Parse(spec, nil)
			Expect(err).NotTo(HaveOccurred())
		}
		return newServer(cfg)
	}
	// call calls a component in simulated time, with a timeout of one minute. It returns the
	// elapsed time.
	call := func(s *mocks.Server, part string) (duration time.Duration, err error) {
		GinkgoHelper()
		start := time.Date(2026, 11, 20, 2, 0, 0, 0, time.UTC)
		Expect(clock.RunSimulated(context.Background(), start, func(ctx context.Context) error {
			limited, cancel := clock.WithTimeout(ctx, time.Minute)
			defer cancel()
			err = s.SimulateLocalCall(limited, part)
			duration = clock.Since(ctx, start)
			return nil
		})).To(Succeed())
		return duration, err
	}

	It("counts the call, takes the latency of the component and logs the call", func() {
		s := with("", latency.Constant(80*time.Millisecond))
		duration, err := call(s, "store")
		Expect(err).NotTo(HaveOccurred())
		Expect(duration).To(Equal(80 * time.Millisecond))
		Expect(s.Calls("store")).To(Equal(1))
		Expect(s.Log()).To(Equal(
			[]mocks.LogEntry{{ComponentName: "store", Role: component.RoleStore, CallNumber: 1, Status: 200}}))
	})

	DescribeTable("returns an injected fault as an error with the equivalent HTTP status",
		func(spec string, part string, status int, duration time.Duration) {
			s := with(spec, latency.Constant(200*time.Millisecond))
			after, err := call(s, part)
			var affected *fault.Error
			Expect(errors.As(err, &affected)).To(BeTrue(), "%v", err)
			Expect(affected.Component).To(Equal(part))
			Expect(affected.Status).To(Equal(status))
			Expect(err).To(MatchError(HavePrefix(part + ": " + string(affected.Kind))))
			Expect(after).To(Equal(duration))
			Expect(s.Log()).To(HaveLen(1))
			Expect(s.Log()[0].Status).To(Equal(status))
			Expect(s.Log()[0].Faults).To(ContainElement(part + ":" + string(affected.Kind)))
		},
		Entry(nil, "store:reset", "store", 0, time.Duration(0)),
		Entry(nil, "store:server_error", "store", 500, time.Duration(0)),
		Entry(nil, "store:overloaded", "store", 503, time.Duration(0)),
		Entry(nil, "store:slow+store:server_error", "store", 500, 2*time.Second),
		Entry(nil, "image:rate_limited", "image", 429, time.Duration(0)),
		Entry(nil, "image:rate_limited_no_retry_after", "image", 429, time.Duration(0)),
		Entry(nil, "image:auth", "image", 401, time.Duration(0)),
		Entry(nil, "image:no_balance", "image", 402, time.Duration(0)),
		Entry(nil, "image:content_blocked", "image", 400, time.Duration(0)),
		Entry(nil, "image:task_failed", "image", 500, 200*time.Millisecond),
	)

	DescribeTable("takes longer under the fault slow",
		func(spec string, l latency.Latency, want time.Duration) {
			s := with(spec, l)
			duration, err := call(s, "store")
			Expect(err).NotTo(HaveOccurred())
			Expect(duration).To(Equal(want))
			Expect(s.Log()[0].Faults).To(Equal([]string{spec}))
		},
		Entry("ten times the latency", "store:slow", latency.Constant(200*time.Millisecond), 2*time.Second),
		Entry("a given delay in addition to the latency", "store:slow=3s", latency.Constant(200*time.Millisecond),
			3200*time.Millisecond),
		Entry("a fixed delay if the component has no latency", "store:slow", latency.Latency{},
			fault.DefaultSlowDelay),
	)

	DescribeTable("hangs under these faults until the caller's timeout",
		func(spec string, part string) {
			s := with(spec, latency.Latency{})
			duration, err := call(s, part)
			Expect(err).To(MatchError(context.DeadlineExceeded))
			Expect(duration).To(Equal(time.Minute))
			Expect(s.Log()[0].Status).To(BeZero())
		},
		Entry(nil, "store:timeout", "store"),
		Entry(nil, "image:task_endless", "image"),
	)

	It("hangs under the fault timeout until the caller cancels, even after an hour", func() {
		s := with("store:timeout", latency.Latency{})
		Expect(clock.RunSimulated(context.Background(), time.Unix(0, 0), func(ctx context.Context) error {
			gone, cancel := context.WithCancel(ctx)
			clock.AfterFunc(ctx, time.Hour, cancel)
			Expect(s.SimulateLocalCall(gone, "store")).To(MatchError(context.Canceled))
			Expect(clock.Now(ctx)).To(Equal(time.Unix(3600, 0)))
			Expect(s.SimulateLocalCall(gone, "store")).To(MatchError(context.Canceled))
			return nil
		})).To(Succeed())
		Expect(s.Calls("store")).To(Equal(1), "who has gone does not call")
	})

	It("returns an error under the fault task_endless after the provider's time limit", func() {
		s := with("image:task_endless", latency.Latency{})
		Expect(clock.RunSimulated(context.Background(), time.Unix(0, 0), func(ctx context.Context) error {
			Expect(s.SimulateLocalCall(ctx, "image")).To(MatchError("image: task_endless (408)"))
			Expect(clock.Now(ctx)).To(Equal(time.Unix(0, 0).Add(mocks.SyncImageTimeout)))
			return nil
		})).To(Succeed())
	})

	It("injects a fault into the n-th call, and random faults into the same calls for the same seed", func() {
		s := with("store:overloaded@2", latency.Latency{})
		ctx := context.Background()
		Expect(s.SimulateLocalCall(ctx, "store")).To(Succeed())
		Expect(s.SimulateLocalCall(ctx, "store")).To(MatchError("store: overloaded (503)"))
		Expect(s.SimulateLocalCall(ctx, "store")).To(Succeed())
		play := func(seed uint64) (text string) {
			s := newServer(mocks.Config{Seed: seed,
				Faults: []fault.Fault{{Component: "store", Kind: fault.Reset, Percent: 30}}})
			for range 200 {
				if s.SimulateLocalCall(ctx, "store") != nil {
					text += "x"
				} else {
					text += "-"
				}
			}
			return text
		}
		Expect(play(1)).To(Equal(play(1)))
		Expect(play(1)).NotTo(Equal(play(2)))
		Expect(play(1)).To(ContainSubstring("x"))
	})

	It("takes the same time as a call over HTTP", func() {
		s := func() *mocks.Server { return with("", latency.LogNormal(time.Second, 0.4)) }
		local, _ := call(s(), "image")
		wired := s()
		Expect(clock.RunSimulated(context.Background(), time.Unix(0, 0), func(ctx context.Context) error {
			_, _ = fetch(ctx, &http.Client{Transport: transport.Transport{Handler: wired}}, "POST", syncPath,
				draw("qwen-image-max", `[{"text":"x"}]`, `{}`))
			Expect(clock.Since(ctx, time.Unix(0, 0))).To(Equal(local))
			return nil
		})).To(Succeed())
	})

	It("returns an error for an unknown component; the error lists the known ones", func() {
		Expect(newServer(mocks.Config{}).SimulateLocalCall(context.Background(), "cellar")).
			To(MatchError(And(ContainSubstring("cellar"), ContainSubstring("store"))))
	})
})
