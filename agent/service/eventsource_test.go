package service_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent"
	"evalctl/agent/trace"
)

var _ = Describe("a plain EventSource", func() {
	const path = "/v1/agents/a/chat?"
	counting := func(answers *int, err error) agent.Func {
		return func(_ context.Context, t agent.Turn, emit func(trace.Event)) (agent.Reply, error) {
			*answers++
			emit(trace.Event{Kind: trace.KindChunk, Text: t.Text})
			return agent.Reply{Content: t.Text}, err
		}
	}

	It("asks by GET, with a text and a session", func() {
		var got agent.Turn
		s := made(only(func(_ context.Context, t agent.Turn, _ func(trace.Event)) (agent.Reply, error) {
			got = t
			return agent.Reply{}, nil
		}))
		w := recorded(s, "GET", path+url.Values{"text": {"画一只猫 & 狗"}, "sessionId": {"s1"}}.Encode(), "")
		Expect(w.Code).To(Equal(http.StatusOK))
		Expect(w.Header().Get("Content-Type")).To(HavePrefix("text/event-stream"))
		Expect(got).To(Equal(agent.Turn{Text: "画一只猫 & 狗", Session: "s1"}))
	})

	DescribeTable("is refused", func(query, message string) {
		w := recorded(made(only(silent)), "GET", path+query, "")
		Expect(w.Code).To(Equal(http.StatusBadRequest))
		_, got := problemOf(w)
		Expect(got).To(Equal(message))
	},
		Entry(nil, "txet=a", "txet: unknown field"),
		Entry(nil, "text=a&text=b", `"text" is given twice`),
		Entry(nil, "text=%ff", "text: invalid UTF-8"),
		Entry(nil, "text=%zz", "the query is malformed"),
		Entry(nil, "text=a;b", "the query is malformed"),
		Entry(nil, "sessionId=a+b", `sessionId: "a b" is not up to 128 visible ASCII characters`),
	)

	It("S7: gets an id with each event", func() {
		n := 0
		Expect(recorded(made(only(counting(&n, nil))), "GET", path+"text=x&sessionId=s1", "").Body.String()).To(Equal(
			"event: chunk\nid: 1\ndata: " + `{"type":"chunk","data":{"text":"x"}}` + "\n\n" +
				"event: done\nid: 2-done\ndata: " + `{"type":"done","data":{"content":"x","served":"","predicted":"","sessionId":"s1"}}` + "\n\n"))
	})

	DescribeTable("is not answered again when it comes back after done", func(ctx SpecContext, failure error) {
		answers := 0
		_, server := listening(only(counting(&answers, failure)))
		last, rounds := "", 0
		for ; rounds < 10; rounds++ { // as browsers do: for ever, but for 204
			r, err := http.NewRequestWithContext(ctx, "GET", server.URL+path+"text=x", nil)
			Expect(err).NotTo(HaveOccurred())
			if last != "" {
				r.Header.Set("Last-Event-ID", last)
			}
			resp, err := server.Client().Do(r)
			Expect(err).NotTo(HaveOccurred())
			stream, err := io.ReadAll(resp.Body)
			Expect(err).NotTo(HaveOccurred())
			if resp.StatusCode == http.StatusNoContent {
				Expect(stream).To(BeEmpty())
				break
			}
			for line := range strings.Lines(string(stream)) {
				if id, ok := strings.CutPrefix(line, "id: "); ok {
					last = strings.TrimSpace(id)
				}
			}
		}
		Expect(rounds).To(Equal(1))
		Expect(answers).To(Equal(1))
	},
		Entry("an answer", nil),
		Entry("a failure", errors.New("broken")),
	)

	It("is answered when it comes back after an answer that was cut", func(ctx SpecContext) {
		answers := 0
		s := made(only(counting(&answers, nil)))
		for _, id := range []string{"1", "x", "done"} {
			r, err := http.NewRequestWithContext(ctx, "GET", "http://localhost"+path, nil)
			Expect(err).NotTo(HaveOccurred())
			r.Header.Set("Last-Event-ID", id)
			s.ServeHTTP(discard{http.Header{}}, r)
		}
		Expect(answers).To(Equal(3))
	})
})
