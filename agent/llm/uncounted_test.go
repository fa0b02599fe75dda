package llm_test

import (
	"context"
	"syscall"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/llm"
)

var _ = DescribeTable("The span of a failed model call marks its usage as unreported if an answer began but has no token counts",
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
	Entry("for a stream that ends without a finish_reason", frames(0, nil, delta("a"), done), true, true),
	Entry("for a stream whose connection breaks", frames(0, syscall.ECONNRESET, delta("a")), true, true),
	Entry("for a stream whose connection breaks before its first content", frames(0, syscall.ECONNRESET, delta("")),
		true, true),
	Entry("for a stream that stalls", frames(time.Hour, nil, delta("a")), true, true),
	Entry("for a stream with an error after a chunk", frames(0, nil, delta("a"), limit), true, true),
	Entry("not for a stream with an error before the first chunk", frames(0, nil, limit), true, false),
	Entry("not for a stream that breaks off after its usage", frames(0, nil, delta("a"), `{"choices":[],`+usage+`}`),
		true, false),
	Entry("not for a stream that is rate-limited", status(429, limit), true, false),
	Entry("not for a connection that is refused", fails(syscall.ECONNREFUSED), true, false),
	Entry("for an answer that breaks off", body(`{"choices":[{"mess`), false, true),
	Entry("for an answer without choices", status(200, `{"choices":[]}`), false, true),
	Entry("not for a filtered answer with usage", finishes("", "content_filter"), false, false),
	Entry("not for an error inside a response with status 200",
		status(200, `{"error":{"message":"m","code":"invalid_api_key"}}`),
		false, false),
	Entry("not for a server error", status(500, ``), false, false),
)
