package service_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent"
	"evalctl/agent/trace"
)

var _ = Describe("A browser's EventSource", func() {
	const path = "/v1/agents/a/chat?"
	counting := func(answers *int, err error) agent.Func {
		return func(_ context.Context, t agent.Turn, emit func(trace.Event)) (agent.Reply, error) {
			*answers++
			emit(trace.Event{Kind: trace.KindChunk, Text: t.Text})
			return agent.Reply{Content: t.Text}, err
		}
	}

	It("sends a text and a session in the query of a GET request", func() {
		var got agent.Turn
		s := made(only(func(_ context.Context, t agent.Turn, _ func(trace.Event)) (agent.Reply, error) {
			got = t
			return agent.Reply{}, nil
		}))
		w := recorded(s, "GET", path+url.Values{"text": {"画一只猫 & 狗"}, "sessionId": {"s1"}}.Encode(), "")
		Expect(w.Code).To(Equal(http.StatusOK))
		Expect(w.Header().Get("Content-Type")).To(HavePrefix("text/event-stream"))
		Expect(got).To(Equal(agent.Turn{Text: "画一只猫 & 狗", Session: "s1", IsPublicAgent: true}))
	})

	DescribeTable("receives an error for an invalid query", func(query, message string) {
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

	It("S7: receives an id with each event", func() {
		n := 0
		Expect(recorded(made(only(counting(&n, nil))), "GET", path+"text=x&sessionId=s1", "").Body.String()).To(Equal(
			"event: chunk\nid: 1\ndata: " + `{"type":"chunk","data":{"text":"x"}}` + "\n\n" +
				"event: done\nid: 2-c5b91366d68d9284-done\ndata: " +
				`{"type":"done","data":{"content":"x","answeredBy":"","predicted":"","sessionId":"s1"}}` + "\n\n"))
	})

	DescribeTable("receives 204 instead of a second answer when it reconnects after done",
		func(ctx SpecContext, failure error) {
			answers := 0
			_, server := listening(only(counting(&answers, failure)))
			last, rounds := "", 0
			for ; rounds < 10; rounds++ { // browsers reconnect forever, unless they receive 204
				r, err := http.NewRequestWithContext(ctx, "GET", server.URL+path+"text=x", nil)
				Expect(err).NotTo(HaveOccurred())
				r.Header.Set("Accept", "text/event-stream")
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
		Entry("the first answer succeeded", nil),
		Entry("the first answer failed", errors.New("broken")),
	)

	It("receives an answer when it reconnects after an incomplete one", func(ctx SpecContext) {
		answers := 0
		s := made(only(counting(&answers, nil)))
		for _, id := range []string{"1", "x", "done", "2-done", "-done"} {
			r, err := http.NewRequestWithContext(ctx, "GET", "http://localhost"+path, nil)
			Expect(err).NotTo(HaveOccurred())
			r.Header.Set("Accept", "text/event-stream")
			r.Header.Set("Last-Event-ID", id)
			s.ServeHTTP(discard{http.Header{}}, r)
		}
		Expect(answers).To(Equal(5))
	})

	It("receives an answer if it sends another question with the event id of an earlier answer", func() {
		answers := 0
		s := made(only(counting(&answers, nil)))
		asked := func(method, query, body, last string) *httptest.ResponseRecorder {
			r := httptest.NewRequest(method, path+query, strings.NewReader(body))
			r.Header.Set("Accept", "text/event-stream")
			r.Header.Set("Content-Type", "application/json")
			r.Header.Set("Last-Event-ID", last)
			w := httptest.NewRecorder()
			s.ServeHTTP(w, r)
			return w
		}
		stream := asked("GET", "text=x&sessionId=s1", "", "").Body.String()
		ids := eventIDs.FindAllString(stream, -1)
		last := strings.TrimSpace(strings.TrimPrefix(ids[len(ids)-1], "id: "))
		Expect(asked("GET", "text=x&sessionId=s1", "", last).Code).To(Equal(http.StatusNoContent))
		for _, query := range []string{"text=y&sessionId=s1", "text=x&sessionId=s2", "text=x", "text=s1x"} {
			Expect(asked("GET", query, "", last).Code).To(Equal(http.StatusOK), query)
		}
		for _, id := range []string{last, "2-done", "-done"} {
			Expect(asked("POST", "", `{"text":"x","sessionId":"s1"}`, id).Code).To(Equal(http.StatusOK), id)
		}
		Expect(answers).To(Equal(8))
	})

	DescribeTable("is recognized by its Accept header; images and links in web pages of other sites do not send it and are rejected",
		func(want int, headers ...string) {
			answers := 0
			r := httptest.NewRequest("GET", path+"text=x", nil)
			for i := 0; i < len(headers); i += 2 {
				r.Header.Set(headers[i], headers[i+1])
			}
			w := httptest.NewRecorder()
			made(only(counting(&answers, nil))).ServeHTTP(w, r)
			Expect(w.Code).To(Equal(want))
			Expect(answers == 1).To(Equal(want == http.StatusOK))
			if want == http.StatusNotAcceptable {
				_, message := problemOf(w)
				Expect(message).To(Equal("a GET request requires the header Accept: text/event-stream"))
			}
		},
		Entry("an EventSource is accepted", http.StatusOK, "Accept", "text/event-stream"),
		Entry("text/event-stream among several types is accepted", http.StatusOK, "Accept",
			"application/json, Text/Event-Stream;q=0.9"),
		Entry("an address that the user has typed in is accepted", http.StatusOK, "Accept", "text/html",
			"Sec-Fetch-Site", "none"),
		Entry("an image in a page is rejected", http.StatusNotAcceptable, "Accept", "image/avif,image/webp,*/*;q=0.8"),
		Entry("a link in a page is rejected", http.StatusNotAcceptable, "Accept", "text/html,*/*"),
		Entry("a request without headers is rejected", http.StatusNotAcceptable),
	)
})
