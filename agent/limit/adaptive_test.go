package limit_test

import (
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/limit"
)

// The limits of the simulated providers are not configured, so they must be estimated.
var _ = DescribeTable("An unknown rate limit is estimated from refusals, so that nearly the permitted rate is used",
	func(p provider, workers int, permitted, least, mostRefused float64) {
		Expect(drive(&p, limit.Config{}, workers, 150*time.Second)).To(BeZero(), "refusals that reach the agent")
		taken, refused := between(p.taken, 30*time.Second, 150*time.Second),
			between(p.refused, 30*time.Second, 150*time.Second)
		Expect(taken/120).To(BeNumerically(">=", least*permitted), "of what is permitted")
		Expect(taken / 120).To(BeNumerically("<=", 1.1*permitted))
		Expect(refused/(taken+refused)).To(BeNumerically("<=", mostRefused), "in vain")
	},
	Entry("for 10 requests per second with Retry-After",
		provider{rate: 10, burst: 10, retryAfter: time.Second, latency: 50 * time.Millisecond}, 16, 10.0, 0.9, 0.05),
	Entry("for 10 requests per second without Retry-After",
		provider{rate: 10, burst: 10, latency: 50 * time.Millisecond},
		16, 10.0, 0.9, 0.05),
	Entry("for fast replies", provider{rate: 10, burst: 10, latency: 5 * time.Millisecond}, 16, 10.0, 0.9, 0.05),
	Entry("for slow replies", provider{rate: 10, burst: 10, latency: 2 * time.Second}, 64, 10.0, 0.9, 0.05),
	Entry("for a large initial burst", provider{rate: 10, burst: 100, latency: 50 * time.Millisecond},
		64, 10.0, 0.9, 0.05),
	Entry("for a limit without bursts, where every gap costs throughput",
		provider{rate: 10, burst: 1, retryAfter: time.Second, latency: 50 * time.Millisecond}, 16, 10.0, 0.6, 0.1),
	Entry("for 200 requests per second",
		provider{rate: 200, burst: 20, retryAfter: time.Second, latency: 50 * time.Millisecond},
		64, 200.0, 0.9, 0.05),
	Entry("for 2 requests per second",
		provider{rate: 2, burst: 2, retryAfter: time.Second, latency: 50 * time.Millisecond},
		16, 2.0, 0.9, 0.15),
	Entry("for 8 concurrent requests",
		provider{concurrent: 8, retryAfter: time.Second, latency: 500 * time.Millisecond},
		64, 16.0, 0.85, 0.05),
	Entry("for 8 concurrent requests with replies of 300 to 700 ms",
		provider{concurrent: 8, retryAfter: time.Second, latency: 300 * time.Millisecond,
			spread: 400 * time.Millisecond}, 64, 16.0, 0.7, 0.1),
	Entry("for 120 requests per minute", provider{window: 120, latency: 50 * time.Millisecond}, 16, 2.0, 0.9, 0.15),
	Entry("for a provider that refuses a tenth at random",
		provider{share: 0.1, retryAfter: time.Second, latency: 50 * time.Millisecond},
		16, 103.0, 0.8, 0.15),
	Entry("for a provider that refuses half at random, so that 16 workers often wait a second",
		provider{share: 0.5, retryAfter: time.Second, latency: 50 * time.Millisecond}, 16, 15.2, 0.75, 0.6),
	Entry("for 20 requests per second and random refusals of half",
		provider{rate: 20, burst: 20, share: 0.5, retryAfter: time.Second, latency: 50 * time.Millisecond},
		64, 20.0, 0.8, 0.6),
)

var _ = Describe("A provider with a limit of 10 requests per second", func() {
	It("receives 9 to 10 requests per second after 30 s, with few refusals", func() {
		p := provider{rate: 10, burst: 10, latency: 50 * time.Millisecond}
		drive(&p, limit.Config{}, 64, 60*time.Second)
		sent := between(p.taken, 30*time.Second, 60*time.Second) + between(p.refused, 30*time.Second, 60*time.Second)
		Expect(between(p.taken, 30*time.Second, 60*time.Second) / 30).
			To(And(BeNumerically(">=", 9), BeNumerically("<=", 10.5)))
		Expect(sent / 30).To(BeNumerically("<=", 11))
	})

	It("causes no wait as long as it refuses nothing", func() {
		p := provider{latency: 50 * time.Millisecond}
		drive(&p, limit.Config{}, 16, 10*time.Second)
		Expect(between(p.taken, 0, 10*time.Second)).To(BeNumerically(">=", 16*199))
	})
})

var _ = Describe("Configured rate limits", func() {
	It("are used fully and not exceeded in any minute", func() {
		p := provider{latency: 10 * time.Millisecond}
		drive(&p, limit.Config{Requests: limit.Rates{Default: 5, ByEndpoint: map[string]float64{"example.com": 600}}},
			16, 3*time.Minute)
		for at := range 2 {
			from := time.Duration(at) * time.Minute
			Expect(between(p.taken, from, from+time.Minute)).To(BeNumerically("~", 600, 2))
		}
	})

	DescribeTable("count the reported tokens instead of the estimate, and a false count delays at most a minute",
		func(usage string, least, most float64) {
			p := provider{latency: 10 * time.Millisecond, usage: usage}
			drive(&p, limit.Config{Tokens: limit.Rates{Default: 700}}, 16, 5*time.Minute)
			Expect(between(p.taken, time.Minute, 5*time.Minute) / 4).
				To(And(BeNumerically(">=", least), BeNumerically("<=", most)))
		},
		Entry("for correct token counts", `{"total_tokens":7}`, 95.0, 106.0),
		Entry("for token counts in the last events of a stream",
			"data: {\"total_tokens\": 3}\n\ndata: {\"usage\":{\"total_tokens\": 70}}\n\ndata: [DONE]\n\n", 9.0, 11.0),
		Entry("for a count that is too high", `{"total_tokens":999999999999999}`, 0.4, 16.0),
		// an invalid token count is ignored, and the estimate is used
		Entry("for a count too large for an integer", `{"total_tokens":99999999999999999999999}`, 80.0, 120.0),
		Entry("for a negative count", `{"total_tokens":-5000}`, 80.0, 120.0),
		Entry("for a missing count", `{}`, 80.0, 120.0),
	)
})
