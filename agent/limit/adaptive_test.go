package limit_test

import (
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/limit"
)

// The limits of the providers are not configured.
var _ = DescribeTable("A limit is found from refusals alone",
	func(p provider, workers int, permitted, least, mostRefused float64) {
		Expect(drive(&p, limit.Config{}, workers, 150*time.Second)).To(BeZero(), "refusals that reach the agent")
		taken, refused := between(p.taken, 30*time.Second, 150*time.Second),
			between(p.refused, 30*time.Second, 150*time.Second)
		Expect(taken/120).To(BeNumerically(">=", least*permitted), "of what is permitted")
		Expect(taken / 120).To(BeNumerically("<=", 1.1*permitted))
		Expect(refused/(taken+refused)).To(BeNumerically("<=", mostRefused), "in vain")
	},
	Entry("10 per second with Retry-After",
		provider{rate: 10, burst: 10, retryAfter: time.Second, latency: 50 * time.Millisecond}, 16, 10.0, 0.9, 0.05),
	Entry("10 per second without Retry-After", provider{rate: 10, burst: 10, latency: 50 * time.Millisecond},
		16, 10.0, 0.9, 0.05),
	Entry("fast replies", provider{rate: 10, burst: 10, latency: 5 * time.Millisecond}, 16, 10.0, 0.9, 0.05),
	Entry("slow replies", provider{rate: 10, burst: 10, latency: 2 * time.Second}, 64, 10.0, 0.9, 0.05),
	Entry("a large initial burst", provider{rate: 10, burst: 100, latency: 50 * time.Millisecond}, 64, 10.0, 0.9, 0.05),
	Entry("no burst, so every gap costs throughput",
		provider{rate: 10, burst: 1, retryAfter: time.Second, latency: 50 * time.Millisecond}, 16, 10.0, 0.6, 0.1),
	Entry("200 per second", provider{rate: 200, burst: 20, retryAfter: time.Second, latency: 50 * time.Millisecond},
		64, 200.0, 0.9, 0.05),
	Entry("2 per second", provider{rate: 2, burst: 2, retryAfter: time.Second, latency: 50 * time.Millisecond},
		16, 2.0, 0.9, 0.15),
	Entry("8 concurrent", provider{concurrent: 8, retryAfter: time.Second, latency: 500 * time.Millisecond},
		64, 16.0, 0.85, 0.05),
	Entry("8 concurrent, with replies of 300 to 700 ms",
		provider{concurrent: 8, retryAfter: time.Second, latency: 300 * time.Millisecond,
			spread: 400 * time.Millisecond}, 64, 16.0, 0.7, 0.1),
	Entry("120 per minute", provider{window: 120, latency: 50 * time.Millisecond}, 16, 2.0, 0.9, 0.15),
	Entry("a tenth refused at random", provider{share: 0.1, retryAfter: time.Second, latency: 50 * time.Millisecond},
		16, 103.0, 0.8, 0.15),
	Entry("half refused at random, so each of 16 workers waits a second every other time",
		provider{share: 0.5, retryAfter: time.Second, latency: 50 * time.Millisecond}, 16, 15.2, 0.75, 0.6),
	Entry("20 per second, and half refused at random",
		provider{rate: 20, burst: 20, share: 0.5, retryAfter: time.Second, latency: 50 * time.Millisecond},
		64, 20.0, 0.8, 0.6),
)

var _ = Describe("A provider with a limit of 10 requests per second", func() {
	It("receives 9 to 10 per second within 30 s, with few refusals", func() {
		p := provider{rate: 10, burst: 10, latency: 50 * time.Millisecond}
		drive(&p, limit.Config{}, 64, 60*time.Second)
		sent := between(p.taken, 30*time.Second, 60*time.Second) + between(p.refused, 30*time.Second, 60*time.Second)
		Expect(between(p.taken, 30*time.Second, 60*time.Second) / 30).
			To(And(BeNumerically(">=", 9), BeNumerically("<=", 10.5)))
		Expect(sent / 30).To(BeNumerically("<=", 11))
	})

	It("causes no wait if it refuses nothing", func() {
		p := provider{latency: 50 * time.Millisecond}
		drive(&p, limit.Config{}, 16, 10*time.Second)
		Expect(between(p.taken, 0, 10*time.Second)).To(BeNumerically(">=", 16*199))
	})
})

var _ = Describe("Configured limits", func() {
	It("are reached and not exceeded in any minute", func() {
		p := provider{latency: 10 * time.Millisecond}
		drive(&p, limit.Config{Requests: limit.Rates{Default: 5, ByEndpoint: map[string]float64{"example.com": 600}}},
			16, 3*time.Minute)
		for at := range 2 {
			from := time.Duration(at) * time.Minute
			Expect(between(p.taken, from, from+time.Minute)).To(BeNumerically("~", 600, 2))
		}
	})

	DescribeTable("use the reported tokens in place of the estimate, and a false usage costs at most a minute",
		func(usage string, least, most float64) {
			p := provider{latency: 10 * time.Millisecond, usage: usage}
			drive(&p, limit.Config{Tokens: limit.Rates{Default: 700}}, 16, 5*time.Minute)
			Expect(between(p.taken, time.Minute, 5*time.Minute) / 4).
				To(And(BeNumerically(">=", least), BeNumerically("<=", most)))
		},
		Entry("correct usage", `{"total_tokens":7}`, 95.0, 106.0),
		Entry("in the last events of a stream",
			"data: {\"total_tokens\": 3}\n\ndata: {\"usage\":{\"total_tokens\": 70}}\n\ndata: [DONE]\n\n", 9.0, 11.0),
		Entry("too high", `{"total_tokens":999999999999999}`, 0.4, 16.0),
		// the estimate remains
		Entry("more than a number holds", `{"total_tokens":99999999999999999999999}`, 80.0, 120.0),
		Entry("negative", `{"total_tokens":-5000}`, 80.0, 120.0),
		Entry("no usage", `{}`, 80.0, 120.0),
	)
})
