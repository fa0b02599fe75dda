package service_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent"
	"evalctl/agent/trace"
)

var _ = Describe("The memory of a request", func() {
	const mib = 1 << 20
	sent := func(body string) (*httptest.ResponseRecorder, uint64) {
		GinkgoHelper()
		s := made(only(silent))
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		w := recorded(s, "POST", chatPath, body)
		runtime.ReadMemStats(&after)
		return w, after.TotalAlloc - before.TotalAlloc
	}

	DescribeTable("is limited by the number of JSON values, in whatever field they are",
		func(before, item, after string) {
			n := 8 * mib / (len(item) + 1)
			w, allocated := sent(before + item + strings.Repeat(","+item, n) + after)
			Expect(w.Code).To(Equal(http.StatusRequestEntityTooLarge))
			code, message := problemOf(w)
			Expect(code).To(Equal("TOO_MANY_VALUES"))
			Expect(message).To(Equal("the request has more than 32768 JSON values"))
			Expect(allocated).To(BeNumerically("<", 8*8*mib), "the body, as it grows")
		},
		Entry("documents", `{"documents":[`, `{}`, `]}`),
		Entry("null values", `{"documents":[`, `null`, `]}`),
		Entry("messages of the history", `{"history":[`, `{"role":"user"}`, `]}`),
		Entry("images of the turn", `{"images":[`, `""`, `]}`),
		Entry("images of a message", `{"history":[{"role":"user","images":[`, `""`, `]}]}`),
		Entry("points of a mask", `{"maskData":{"base64":"AAAA","coordinates":[`, `{"x":1,"y":2}`, `]}}`),
		Entry("options", `{"options":{`, `"a":1`, `}}`),
		Entry("documents after strings with escaped quotes", `{"text":"\\\"\\","documents":[`, `{}`, `]}`),
	)

	It("does not depend on commas and braces within texts", func() {
		var got string
		s := made(only(func(_ context.Context, t agent.Turn, _ func(trace.Event)) (agent.Reply, error) {
			got = t.Text
			return agent.Reply{}, nil
		}))
		text := strings.Repeat(`,{[\"`, 100_000)
		Expect(recorded(s, "POST", chatPath, `{"text":"`+text+`"}`).Code).To(Equal(http.StatusOK))
		Expect(got).To(Equal(strings.ReplaceAll(text, `\"`, `"`)))
	})

	It("does not include a second copy of an image for its check", func() {
		head, tail := `{"images":["data:image/png;base64,`, `"]}`
		body := head + "iVBORw0KGgoA" + strings.Repeat("A", 8*mib) + tail
		_, plain := sent(`{"text":"` + body[len(head):len(body)-len(tail)] + `"}`)
		w, allocated := sent(body)
		Expect(w.Code).To(Equal(http.StatusOK))
		Expect(allocated).To(BeNumerically("<", plain+4*mib))
	})
})
