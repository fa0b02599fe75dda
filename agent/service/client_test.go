package service_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"runtime"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"github.com/onsi/gomega/gbytes"

	"evalctl/agent"
	"evalctl/agent/clock"
	"evalctl/agent/trace"
)

func whole(r *http.Response) string {
	GinkgoHelper()
	b, err := io.ReadAll(r.Body)
	Expect(err).NotTo(HaveOccurred())
	Expect(r.Body.Close()).To(Succeed())
	return withoutIDs(string(b))
}

func dialled(address, text string) net.Conn {
	GinkgoHelper()
	c, err := net.Dial("tcp", strings.TrimPrefix(address, "http://"))
	Expect(err).NotTo(HaveOccurred())
	DeferCleanup(func() { _ = c.Close() }) // the test may have closed it already
	Expect(c.SetReadDeadline(time.Now().Add(10 * time.Second))).To(Succeed())
	_, err = io.WriteString(c, text)
	Expect(err).NotTo(HaveOccurred())
	return c
}

var _ = Describe("A client connected over the network", func() {
	It("receives each event immediately", func(ctx SpecContext) {
		seen := make(chan struct{})
		_, server := listening(only(func(_ context.Context, _ agent.Turn, emit func(trace.Event)) (agent.Reply, error) {
			<-seen // the response headers have arrived
			for range 3 {
				emit(trace.Event{Kind: trace.KindChunk, Text: "x"})
				<-seen
			}
			return agent.Reply{}, nil
		}))
		r, err := post(ctx, server.Client(), server.URL, `{"sessionId":"s1"}`)
		Expect(err).NotTo(HaveOccurred())
		Expect(r.Header.Get("X-Session-Id")).To(Equal("s1"))
		seen <- struct{}{}
		events := bufio.NewReader(r.Body)
		for range 3 {
			Expect(events.ReadString('\n')).To(Equal("event: chunk\n"))
			Expect(events.ReadString('\n')).To(HavePrefix("id: "))
			Expect(events.ReadString('\n')).To(ContainSubstring(`"x"`))
			Expect(events.ReadString('\n')).To(Equal("\n"))
			seen <- struct{}{}
		}
		rest, err := io.ReadAll(events)
		Expect(err).NotTo(HaveOccurred())
		Expect(withoutIDs(string(rest))).To(Equal(finished))
	})

	It("receives heartbeat comments while the agent is working", func(ctx SpecContext) {
		release := make(chan struct{})
		cfg := only(func(context.Context, agent.Turn, func(trace.Event)) (agent.Reply, error) {
			<-release
			return agent.Reply{}, nil
		})
		cfg.Heartbeat = time.Millisecond
		_, server := listening(cfg)
		r, err := post(ctx, server.Client(), server.URL, `{"sessionId":"s1"}`)
		Expect(err).NotTo(HaveOccurred())
		events := bufio.NewReader(r.Body)
		for range 3 {
			Expect(events.ReadString('\n')).To(Equal(": still working\n"))
			Expect(events.ReadString('\n')).To(Equal("\n"))
		}
		close(release)
		rest, err := io.ReadAll(events)
		Expect(err).NotTo(HaveOccurred())
		Expect(withoutIDs(string(rest))).To(HaveSuffix(finished))
	})

	It("X6: cancels the agent by disconnecting; the log reports no failure of the agent", func(ctx SpecContext) {
		stopped := make(chan error, 1)
		cfg := only(func(ctx context.Context, _ agent.Turn, emit func(trace.Event)) (agent.Reply, error) {
			emit(trace.Event{Kind: trace.KindChunk, Text: "x"})
			<-ctx.Done()
			for range 100 {
				emit(trace.Event{Kind: trace.KindChunk, Text: "nobody listens"})
			}
			stopped <- ctx.Err()
			return agent.Reply{}, ctx.Err()
		})
		log := logged(&cfg)
		s, server := listening(cfg)
		ctx2, goAway := context.WithCancel(ctx)
		r, err := post(ctx2, server.Client(), server.URL, `{}`)
		Expect(err).NotTo(HaveOccurred())
		Expect(bufio.NewReader(r.Body).ReadString('\n')).To(Equal("event: chunk\n"))
		Expect(s.AnswersInProgress()).To(Equal(1))
		goAway()
		Eventually(stopped).Should(Receive(MatchError(context.Canceled)))
		Eventually(s.AnswersInProgress).Should(BeZero())
		Expect(log.Contents()).To(BeEmpty())
	})

	It("X6: has disconnected when the agent panics; the panic is still logged", func(ctx SpecContext) {
		cfg := only(func(ctx context.Context, _ agent.Turn, _ func(trace.Event)) (agent.Reply, error) {
			<-ctx.Done()
			panic("late")
		})
		log := logged(&cfg)
		_, server := listening(cfg)
		ctx2, goAway := context.WithCancel(ctx)
		_, err := post(ctx2, server.Client(), server.URL, `{}`)
		Expect(err).NotTo(HaveOccurred())
		goAway()
		Eventually(log).Should(gbytes.Say("panic in agent: late"))
	})

	It("is disconnected if it does not read its answer, and does not delay other clients", func(ctx SpecContext) {
		stopped := make(chan error, 1)
		cfg := only(func(ctx context.Context, t agent.Turn, emit func(trace.Event)) (agent.Reply, error) {
			if t.Text == "short" {
				return agent.Reply{}, nil
			}
			for ctx.Err() == nil {
				emit(trace.Event{Kind: trace.KindChunk, Text: strings.Repeat("x", 64<<10)})
			}
			stopped <- ctx.Err()
			return agent.Reply{}, ctx.Err()
		})
		cfg.WriteTimeout = 300 * time.Millisecond
		s, server := listening(cfg)
		dialled(server.URL, "POST "+chatPath+
			" HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}")
		Eventually(s.AnswersInProgress).Should(Equal(1))
		for range 20 {
			r, err := post(ctx, server.Client(), server.URL, `{"text":"short","sessionId":"s1"}`)
			Expect(err).NotTo(HaveOccurred())
			Expect(whole(r)).To(Equal(finished))
		}
		Eventually(stopped).WithTimeout(10 * time.Second).Should(Receive(MatchError(context.Canceled)))
		Eventually(s.AnswersInProgress).Should(BeZero())
	})

	It("is disconnected if it sends only half of a request", func() {
		cfg := only(silent)
		cfg.WriteTimeout = 20 * time.Millisecond
		s, server := listening(cfg)
		c := dialled(server.URL,
			"POST "+chatPath+" HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 20\r\n\r\n{\"text\":")
		r, err := http.ReadResponse(bufio.NewReader(c), nil)
		Expect(err).NotTo(HaveOccurred())
		Expect(r.StatusCode).To(Equal(http.StatusRequestTimeout))
		Expect(whole(r)).To(Equal(
			`{"error":{"code":"TIMEOUT","message":"the request comes too slowly: nothing for 20ms, or not all within 40ms"}}` + "\n"))
		Expect(s.AnswersInProgress()).To(BeZero())
	})

	It("is disconnected if it sends its request too slowly", func() {
		cfg := only(silent)
		cfg.WriteTimeout = 100 * time.Millisecond
		s, server := listening(cfg)
		c := dialled(server.URL,
			"POST "+chatPath+" HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 16000000\r\n\r\n")
		go func() {
			for err := error(nil); err == nil; { // repeats until the server disconnects
				_, err = c.Write([]byte(" "))
			}
		}()
		r, err := http.ReadResponse(bufio.NewReader(c), nil)
		Expect(err).NotTo(HaveOccurred())
		Expect(r.StatusCode).To(Equal(http.StatusRequestTimeout))
		Eventually(s.AnswersInProgress).Should(BeZero())
	})

	It("is disconnected if it does not complete a request that was rejected", func() {
		cfg := only(silent)
		cfg.WriteTimeout = 20 * time.Millisecond
		_, server := listening(cfg)
		c := dialled(server.URL, "POST "+chatPath+" HTTP/1.1\r\nHost: localhost\r\nContent-Length: 20\r\n\r\n{")
		r, err := http.ReadResponse(bufio.NewReader(c), nil)
		Expect(err).NotTo(HaveOccurred())
		Expect(r.StatusCode).To(Equal(http.StatusUnsupportedMediaType))
		Expect(whole(r)).NotTo(BeEmpty())
		_, err = io.ReadAll(c)
		Expect(err).NotTo(HaveOccurred(), "the server hangs up")
	})

	It("does not count as a concurrent answer while it sends its request", func(ctx SpecContext) {
		cfg := only(silent)
		cfg.MaxConcurrent = 1
		s, server := listening(cfg)
		for range 20 {
			dialled(server.URL, "POST "+chatPath+
				" HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 20\r\n\r\n{\"text\":")
		}
		for range 5 {
			r, err := post(ctx, server.Client(), server.URL, `{"sessionId":"s1"}`)
			Expect(err).NotTo(HaveOccurred())
			Expect(r.StatusCode).To(Equal(http.StatusOK))
			Expect(whole(r)).NotTo(BeEmpty())
		}
		Expect(s.AnswersInProgress()).To(BeNumerically("<=", 1))
	})

	DescribeTable("is rejected while other requests use up the memory budget, and accepted afterwards",
		func(ctx SpecContext, maxBody int64, body string) {
			release := make(chan struct{})
			cfg := only(func(context.Context, agent.Turn, func(trace.Event)) (agent.Reply, error) {
				<-release
				return agent.Reply{}, nil
			})
			cfg.MaxBody, cfg.MaxTotalBytes = maxBody, 1500
			_, server := listening(cfg)
			first, err := post(ctx, server.Client(), server.URL, body)
			Expect(err).NotTo(HaveOccurred())
			Expect(first.StatusCode).To(Equal(http.StatusOK))
			refused, err := post(ctx, server.Client(), server.URL, body)
			Expect(err).NotTo(HaveOccurred())
			Expect(refused.StatusCode).To(Equal(http.StatusServiceUnavailable))
			Expect(refused.Header.Get("Retry-After")).To(Equal("1"))
			Expect(whole(refused)).To(ContainSubstring("TOO_MANY_BYTES"))
			close(release)
			Expect(whole(first)).To(Equal(finished))
			Eventually(func() int {
				again, err := post(ctx, server.Client(), server.URL, body)
				Expect(err).NotTo(HaveOccurred())
				whole(again)
				return again.StatusCode
			}).Should(Equal(http.StatusOK), "what the others had is free again")
		},
		Entry("the bytes of a large text use up the budget", int64(16<<20),
			`{"sessionId":"s1","text":"`+strings.Repeat("a", 15<<20)+`"}`),
		Entry("many small JSON values use up the budget, because they need more memory when decoded", int64(1<<20),
			`{"sessionId":"s1","documents":[{}`+strings.Repeat(",{}", 16_000)+`]}`),
	)

	It("is rejected if it sends an invalid chunked body", func() {
		_, server := listening(only(silent))
		c := dialled(server.URL,
			"POST "+chatPath+" HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{\r\nzz\r\n")
		r, err := http.ReadResponse(bufio.NewReader(c), nil)
		Expect(err).NotTo(HaveOccurred())
		Expect(r.StatusCode).To(Equal(400))
		Expect(whole(r)).To(ContainSubstring("the request ends too early"))
	})

	It("may wait longer for the answer than the time limit for its request", func(ctx SpecContext) {
		cfg := only(func(ctx context.Context, t agent.Turn, _ func(trace.Event)) (agent.Reply, error) {
			wait, err := time.ParseDuration(t.Text)
			return agent.Reply{}, errors.Join(err, clock.Sleep(ctx, wait))
		})
		cfg.WriteTimeout = 100 * time.Millisecond
		_, server := listening(cfg)
		for _, wait := range []string{"200ms", "0s"} { // both requests use one connection
			r, err := post(ctx, server.Client(), server.URL, `{"text":"`+wait+`","sessionId":"s1"}`)
			Expect(err).NotTo(HaveOccurred())
			Expect(whole(r)).To(Equal(finished))
		}
	})

	It("receives an error for a body that is too large, with or without chunks", func() {
		_, server := listening(only(silent))
		for _, framing := range []string{"Content-Length: 52428800\r\n\r\n",
			"Transfer-Encoding: chunked\r\n\r\n3200000\r\n"} {
			c := dialled(server.URL,
				"POST "+chatPath+" HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"+
					framing+`{"text":"`)
			sent := make(chan int64, 1)
			go func() {
				defer GinkgoRecover()
				// fails when the server aborts the request
				n, _ := io.Copy(c, io.LimitReader(&endless{text: []byte(strings.Repeat("a", 1<<10))}, 50<<20))
				sent <- n
			}()
			r, err := http.ReadResponse(bufio.NewReader(c), nil)
			Expect(err).NotTo(HaveOccurred())
			Expect(r.StatusCode).To(Equal(413))
			Expect(c.Close()).To(Succeed())
			Expect(<-sent).To(BeNumerically("<", 40<<20))
		}
	})

	It("leaves no goroutine behind", func(ctx SpecContext) {
		before := runtime.NumGoroutine()
		_, server := listening(only(func(_ context.Context, _ agent.Turn, emit func(trace.Event)) (agent.Reply, error) {
			for i := range 20 {
				emit(trace.Event{Kind: trace.KindChunk, Text: fmt.Sprint(i)})
			}
			return agent.Reply{}, nil
		}))
		for i := range 100 {
			ctx, goAway := context.WithCancel(ctx)
			r, err := post(ctx, server.Client(), server.URL, `{}`)
			Expect(err).NotTo(HaveOccurred())
			if i%2 == 0 {
				Expect(whole(r)).To(ContainSubstring("event: done"))
			}
			goAway()
		}
		server.Close()
		Eventually(runtime.NumGoroutine).Should(BeNumerically("<=", before))
	})
})
