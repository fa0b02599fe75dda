package limit_test

import (
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/limit"
)

// What providers permit is known to themselves alone: nothing is set.
var _ = DescribeTable("The limit of a provider that is told by its refusals alone is found", func(p provider, workers int, permitted, least, mostRefused float64) {
	Expect(drive(&p, limit.Config{}, workers, 150*time.Second)).To(BeZero(), "refusals that reach the agent")
	taken, refused := between(p.taken, 30*time.Second, 150*time.Second), between(p.refused, 30*time.Second, 150*time.Second)
	Expect(taken/120).To(BeNumerically(">=", least*permitted), "of what is permitted")
	Expect(taken / 120).To(BeNumerically("<=", 1.1*permitted))
	Expect(refused/(taken+refused)).To(BeNumerically("<=", mostRefused), "in vain")
},
	Entry("10 a second, told how long to wait", provider{rate: 10, burst: 10, retryAfter: time.Second, latency: 50 * time.Millisecond}, 16, 10.0, 0.9, 0.05),
	Entry("10 a second, not told", provider{rate: 10, burst: 10, latency: 50 * time.Millisecond}, 16, 10.0, 0.9, 0.05),
	Entry("fast replies", provider{rate: 10, burst: 10, latency: 5 * time.Millisecond}, 16, 10.0, 0.9, 0.05),
	Entry("slow replies", provider{rate: 10, burst: 10, latency: 2 * time.Second}, 64, 10.0, 0.9, 0.05),
	Entry("a great reserve at first", provider{rate: 10, burst: 100, latency: 50 * time.Millisecond}, 64, 10.0, 0.9, 0.05),
	Entry("no reserve, so that each gap counts", provider{rate: 10, burst: 1, retryAfter: time.Second, latency: 50 * time.Millisecond}, 16, 10.0, 0.6, 0.1),
	Entry("200 a second", provider{rate: 200, burst: 20, retryAfter: time.Second, latency: 50 * time.Millisecond}, 64, 200.0, 0.9, 0.05),
	Entry("2 a second", provider{rate: 2, burst: 2, retryAfter: time.Second, latency: 50 * time.Millisecond}, 16, 2.0, 0.9, 0.15),
	Entry("8 at once", provider{concurrent: 8, retryAfter: time.Second, latency: 500 * time.Millisecond}, 64, 16.0, 0.85, 0.05),
	Entry("8 at once, of replies that take 300 to 700 ms", provider{concurrent: 8, retryAfter: time.Second, latency: 300 * time.Millisecond, spread: 400 * time.Millisecond}, 64, 16.0, 0.7, 0.1),
	Entry("120 in each minute", provider{window: 120, latency: 50 * time.Millisecond}, 16, 2.0, 0.9, 0.15),
	Entry("a tenth refused by chance, however few", provider{share: 0.1, retryAfter: time.Second, latency: 50 * time.Millisecond}, 16, 103.0, 0.8, 0.15),
	Entry("half refused by chance, so that each of 16 waits a second every other time", provider{share: 0.5, retryAfter: time.Second, latency: 50 * time.Millisecond}, 16, 15.2, 0.75, 0.6),
	Entry("20 a second, and half refused by chance besides", provider{rate: 20, burst: 20, share: 0.5, retryAfter: time.Second, latency: 50 * time.Millisecond}, 64, 20.0, 0.8, 0.6),
)

var _ = Describe("A provider that permits 10 requests a second", func() {
	It("is asked 9 to 10 times a second within 30 s, of which hardly any is in vain", func() {
		p := provider{rate: 10, burst: 10, latency: 50 * time.Millisecond}
		drive(&p, limit.Config{}, 64, 60*time.Second)
		sent := between(p.taken, 30*time.Second, 60*time.Second) + between(p.refused, 30*time.Second, 60*time.Second)
		Expect(between(p.taken, 30*time.Second, 60*time.Second) / 30).To(And(BeNumerically(">=", 9), BeNumerically("<=", 10.5)))
		Expect(sent / 30).To(BeNumerically("<=", 11))
	})

	It("is not waited for where it refuses nothing", func() {
		p := provider{latency: 50 * time.Millisecond}
		drive(&p, limit.Config{}, 16, 10*time.Second)
		Expect(between(p.taken, 0, 10*time.Second)).To(BeNumerically(">=", 16*199))
	})
})

var _ = Describe("Limits that are known", func() {
	It("have no minute with more requests than they say, and none with fewer", func() {
		p := provider{latency: 10 * time.Millisecond}
		drive(&p, limit.Config{Requests: limit.Rates{Default: 5, ByEndpoint: map[string]float64{"example.com": 600}}}, 16, 3*time.Minute)
		for at := range 2 {
			from := time.Duration(at) * time.Minute
			Expect(between(p.taken, from, from+time.Minute)).To(BeNumerically("~", 600, 2))
		}
	})

	DescribeTable("count the tokens of answers, whatever was reckoned with, and a lie costs a minute at most", func(usage string, least, most float64) {
		p := provider{latency: 10 * time.Millisecond, usage: usage}
		drive(&p, limit.Config{Tokens: limit.Rates{Default: 700}}, 16, 5*time.Minute)
		Expect(between(p.taken, time.Minute, 5*time.Minute) / 4).To(And(BeNumerically(">=", least), BeNumerically("<=", most)))
	},
		Entry("as they are", `{"total_tokens":7}`, 95.0, 106.0),
		Entry("in the last frames of a stream", "data: {\"total_tokens\": 3}\n\ndata: {\"usage\":{\"total_tokens\": 70}}\n\ndata: [DONE]\n\n", 9.0, 11.0),
		Entry("more than there are", `{"total_tokens":999999999999999}`, 0.4, 16.0),
		Entry("more than a number holds", `{"total_tokens":99999999999999999999999}`, 80.0, 120.0), // what was reckoned with stays
		Entry("fewer than none", `{"total_tokens":-5000}`, 80.0, 120.0),
		Entry("none told", `{}`, 80.0, 120.0),
	)
})
