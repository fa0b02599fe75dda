package service_test

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent"
	"evalctl/agent/trace"
)

var _ = Describe("A request whose body does not arrive", func() {
	const mute = "POST " + chatPath +
		" HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"

	It("is rejected with a timeout after the time limit", func() {
		cfg := only(silent)
		cfg.WriteTimeout = 700 * time.Millisecond
		_, server := listening(cfg)
		began := time.Now()
		r, err := http.ReadResponse(bufio.NewReader(dialled(server.URL, mute)), nil)
		Expect(err).NotTo(HaveOccurred())
		Expect(r.StatusCode).To(Equal(http.StatusRequestTimeout))
		Expect(time.Since(began)).To(BeNumerically("<", 2*cfg.WriteTimeout-100*time.Millisecond))
		Expect(r.Close).To(BeTrue())
	})

	DescribeTable("does not delay the shutdown of the server", Label("long"), func(ctx SpecContext, refused bool) {
		s, server := listening(only(silent))
		text := strings.Replace(mute, "Host", "Expect: 100-continue\r\nHost", 1)
		if refused {
			text = strings.Replace(mute, "localhost", "evil.example", 1)
		}
		c := dialled(server.URL, text)
		answer := bufio.NewReader(c)
		want := http.StatusForbidden
		if !refused {
			want = http.StatusServiceUnavailable
			Expect(answer.ReadString('\n')).To(HavePrefix("HTTP/1.1 100 "), "it is being read")
			Expect(answer.ReadString('\n')).To(Equal("\r\n"))
			s.Drain()
		}
		r, err := http.ReadResponse(answer, nil)
		Expect(err).NotTo(HaveOccurred())
		Expect(r.StatusCode).To(Equal(want))
		began := time.Now()
		Expect(server.Config.Shutdown(ctx)).To(Succeed())
		Expect(time.Since(began)).To(BeNumerically("<", 3*time.Second))
	},
		Entry("the body is being read when the service drains", false),
		Entry("the request was rejected without reading its body", true),
	)
})

var _ = Describe("Stop", func() {
	stopped := failed("SHUTTING_DOWN", "unknown", "服务正在停止，这次回答没能完成，请稍后再试。")

	obedient := func(ctx context.Context, _ agent.Turn, _ func(trace.Event)) (agent.Reply, error) {
		<-ctx.Done()
		return agent.Reply{}, ctx.Err()
	}

	It("ends every answer in progress with error and done, and logs no failure of an agent", func(ctx SpecContext) {
		cfg := only(obedient)
		log := logged(&cfg)
		s, server := listening(cfg)
		var streams []*http.Response
		for range 3 {
			r, err := post(ctx, server.Client(), server.URL, `{"sessionId":"s1"}`)
			Expect(err).NotTo(HaveOccurred())
			streams = append(streams, r)
		}
		s.Stop()
		s.Stop() // a second call has no effect
		for _, r := range streams {
			Expect(whole(r)).To(Equal(stopped))
		}
		Eventually(s.AnswersInProgress).Should(BeZero())
		Expect(log.Contents()).To(BeEmpty())
	})

	It("does not discard the last events of an agent, or its answer if the agent completes it", func(ctx SpecContext) {
		s, server := listening(only(func(ctx context.Context, _ agent.Turn, emit func(trace.Event)) (agent.Reply,
			error) {
			<-ctx.Done()
			emit(trace.Event{Kind: trace.KindChunk, Text: "好"})
			return agent.Reply{}, nil
		}))
		r, err := post(ctx, server.Client(), server.URL, `{"sessionId":"s1"}`)
		Expect(err).NotTo(HaveOccurred())
		s.Stop()
		Expect(whole(r)).To(Equal("event: chunk\ndata: " + `{"type":"chunk","data":{"text":"好"}}` + "\n\n" + finished))
	})

	It("rejects new requests afterwards", func() {
		s := made(only(silent))
		s.Stop()
		w := recorded(s, "POST", chatPath, `{}`)
		Expect(w.Code).To(Equal(http.StatusServiceUnavailable))
		code, _ := problemOf(w)
		Expect(code).To(Equal("SHUTTING_DOWN"))
		Expect(recorded(s, "GET", "/healthz", "").Code).To(Equal(http.StatusServiceUnavailable))
	})

	It("rejects a turn whose request was still being read", func(ctx SpecContext) {
		s, server := listening(only(obedient))
		body, rest := io.Pipe()
		go func() {
			defer GinkgoRecover()
			_, err := io.WriteString(rest, `{"sessionId":`)
			Expect(err).NotTo(HaveOccurred())
			s.Stop()
			_, _ = io.WriteString(rest, `"s1"}`) // the server may have disconnected
			Expect(rest.Close()).To(Succeed())
		}()
		request, err := http.NewRequestWithContext(ctx, http.MethodPost, server.URL+chatPath, body)
		Expect(err).NotTo(HaveOccurred())
		request.Header.Set("Content-Type", "application/json")
		r, err := server.Client().Do(request)
		Expect(err).NotTo(HaveOccurred())
		Expect(r.StatusCode).To(Equal(http.StatusServiceUnavailable))
		Expect(whole(r)).To(ContainSubstring("SHUTTING_DOWN"))
	})
})
