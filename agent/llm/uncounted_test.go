package llm_test

import (
	"context"
	"syscall"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/llm"
)

var _ = DescribeTable("the usage of a failed call is unreported once an answer began without a token count",
	func(first step, streamed, uncounted bool) {
		c := client(&script{steps: []step{first}}, of("dashscope"), func(c *llm.Config) { c.Retries = llm.NoRetries })
		events, _ := simulate(func(ctx context.Context) {
			var err error
			if streamed {
				_, err = c.Stream(ctx, ask("hi"), nil)
			} else {
				_, err = c.Chat(ctx, ask("hi"))
			}
			Expect(err).To(HaveOccurred())
		})
		Expect(spans(events)).To(HaveExactElements(HaveField("UsageUnreported", uncounted)))
	},
	Entry("a stream that ends early", frames(0, nil, delta("a"), done), true, true),
	Entry("a stream whose connection breaks", frames(0, syscall.ECONNRESET, delta("a")), true, true),
	Entry("a stream whose connection breaks before its first content", frames(0, syscall.ECONNRESET, delta("")),
		true, true),
	Entry("a stream that stalls", frames(time.Hour, nil, delta("a")), true, true),
	Entry("an error after a piece of a stream", frames(0, nil, delta("a"), limit), true, true),
	Entry("an error in place of a stream", frames(0, nil, limit), true, false),
	Entry("a stream broken after its usage", frames(0, nil, delta("a"), `{"choices":[],`+usage+`}`), true, false),
	Entry("a stream that is refused", status(429, limit), true, false),
	Entry("no connection", fails(syscall.ECONNREFUSED), true, false),
	Entry("an answer that breaks off", body(`{"choices":[{"mess`), false, true),
	Entry("an answer without choices", status(200, `{"choices":[]}`), false, true),
	Entry("a filtered answer with usage", finishes("", "content_filter"), false, false),
	Entry("an error in place of an answer", status(200, `{"error":{"message":"m","code":"invalid_api_key"}}`),
		false, false),
	Entry("a server error", status(500, ``), false, false),
)
