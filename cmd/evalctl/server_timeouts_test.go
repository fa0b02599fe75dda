package main

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/mocks"
	"evalctl/mocks/latency"
)

// serveWithTimeouts starts a mock server with these timeouts and returns its address.
func serveWithTimeouts(p serverLimits, cfg mocks.Config) string {
	GinkgoHelper()
	handler, err := mocks.New(cfg)
	Expect(err).NotTo(HaveOccurred())
	l, err := net.Listen("tcp", "127.0.0.1:0")
	Expect(err).NotTo(HaveOccurred())
	server := p.server(handler)
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(l) }()
	DeferCleanup(func() {
		Expect(server.Close()).To(Succeed())
		Eventually(ended).Should(Receive(MatchError(http.ErrServerClosed)))
	})
	return l.Addr().String()
}

// dialed opens a connection to addr and sends a text on it.
func dialed(addr, text string) net.Conn {
	GinkgoHelper()
	c, err := net.Dial("tcp", addr)
	Expect(err).NotTo(HaveOccurred())
	DeferCleanup(func() { _ = c.Close() }) // the server may have closed it
	Expect(c.SetDeadline(time.Now().Add(10 * time.Second))).To(Succeed())
	_, err = io.WriteString(c, text)
	Expect(err).NotTo(HaveOccurred())
	return c
}

// chatRequest returns an HTTP request with a body and a declared length, which may differ.
func chatRequest(length int, body string) string {
	return fmt.Sprintf("POST /v1/chat/completions HTTP/1.1\r\nHost: m\r\nAuthorization: Bearer k\r\nContent-Length: %d\r\n\r\n%s", length, body)
}

var _ = Describe("the HTTP server of evalctl mock serve", Label("concurrent"), func() {
	const short = 200 * time.Millisecond
	const hello = `{"model":"m","stream":true,"messages":[{"role":"user","content":"hello"}]}`
	patient := serverLimits{header: time.Minute, body: time.Minute, write: time.Minute,
		idle: time.Minute, maxConns: 100}

	It("closes a connection whose headers do not arrive in time", func() {
		p := patient
		p.header = short
		_, err := io.ReadAll(dialed(serveWithTimeouts(p, mocks.Config{}),
			"POST /v1/chat/completions HTTP/1.1\r\nHost: m\r\n"))
		Expect(err).NotTo(HaveOccurred(), "it was closed")
	})

	It("closes a connection that is idle after an answer", func() {
		p := patient
		p.idle = short
		answer, err := io.ReadAll(dialed(serveWithTimeouts(p, mocks.Config{}), chatRequest(len(hello), hello)))
		Expect(err).NotTo(HaveOccurred(), "it was closed")
		Expect(string(answer)).To(ContainSubstring("[DONE]"))
	})

	It("closes a connection whose body does not arrive in time, with an error in the provider's format", func() {
		p := patient
		p.body = short
		answer, err := io.ReadAll(dialed(serveWithTimeouts(p, mocks.Config{}), chatRequest(1000, hello)))
		Expect(err).NotTo(HaveOccurred(), "it was closed")
		Expect(string(answer)).To(And(HavePrefix("HTTP/1.1 400"), ContainSubstring(`"type":"invalid_request_error"`)))
	})

	It("lets a client wait for an answer longer than the timeout of request bodies", func() {
		p := patient
		p.body, p.write = short, short
		slow := map[string]latency.Latency{"chat": latency.Constant(2 * short)}
		addr := serveWithTimeouts(p, mocks.Config{Latency: slow})
		c := dialed(addr, "")
		answers := bufio.NewReader(c)
		for range 2 {
			_, err := io.WriteString(c, chatRequest(len(hello), hello))
			Expect(err).NotTo(HaveOccurred())
			res, err := http.ReadResponse(answers, nil)
			Expect(err).NotTo(HaveOccurred())
			body, err := io.ReadAll(res.Body)
			Expect(err).NotTo(HaveOccurred())
			Expect(string(body)).To(HaveSuffix("data: [DONE]\n\n"))
		}
	})

	It("lets a client wait for a poll without a body longer than the timeout of request bodies", func() {
		p := patient
		p.body = short
		addr := serveWithTimeouts(p,
			mocks.Config{Latency: map[string]latency.Latency{"poll": latency.Constant(2 * short)}})
		c := dialed(addr, "GET /api/v1/tasks/x HTTP/1.1\r\nHost: m\r\nAuthorization: Bearer k\r\n\r\n")
		res, err := http.ReadResponse(bufio.NewReader(c), nil)
		Expect(err).NotTo(HaveOccurred())
		Expect(res.StatusCode).To(Equal(200))
	})

	It("closes the connection of a client that does not read", func() {
		p := patient
		p.write = short
		handler := &endlessWriter{ended: make(chan error, 1)}
		l, err := net.Listen("tcp", "127.0.0.1:0")
		Expect(err).NotTo(HaveOccurred())
		server := p.server(handler)
		go func() { _ = server.Serve(l) }()
		DeferCleanup(server.Close)
		dialed(l.Addr().String(), "GET / HTTP/1.1\r\nHost: m\r\n\r\n")
		Eventually(handler.ended).WithTimeout(5 * time.Second).Should(Receive(MatchError(ContainSubstring("timeout"))))
	})

	It("accepts a limited number of connections, and further ones when others are closed", func() {
		p := patient
		p.maxConns = 2
		addr := serveWithTimeouts(p, mocks.Config{})
		first := dialed(addr, "")
		dialed(addr, "")
		third, err := net.Dial("tcp", addr)
		Expect(err).NotTo(HaveOccurred())
		DeferCleanup(third.Close)
		Expect(third.SetDeadline(time.Now().Add(10 * time.Second))).To(Succeed())
		_, err = third.Read(make([]byte, 1))
		Expect(err).To(MatchError(io.EOF))
		Expect(first.Close()).To(Succeed())
		Eventually(func() error {
			res, err := http.Post("http://"+addr+"/v1/chat/completions", "application/json", strings.NewReader(hello))
			if err == nil {
				err = res.Body.Close()
			}
			return err
		}).Should(Succeed())
	})

	It("refuses requests with large headers", func() {
		c := dialed(serveWithTimeouts(patient, mocks.Config{}),
			"GET /v1/models HTTP/1.1\r\nHost: m\r\nX: "+strings.Repeat("x", 2*maxHeader)+"\r\n\r\n")
		res, err := http.ReadResponse(bufio.NewReader(c), nil)
		Expect(err).NotTo(HaveOccurred())
		Expect(res.StatusCode).To(Equal(http.StatusRequestHeaderFieldsTooLarge))
	})
})

// endlessWriter writes a response until it is stopped.
type endlessWriter struct {
	ended chan error
}

func (g *endlessWriter) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	for {
		if _, err := w.Write(make([]byte, 1<<20)); err != nil {
			g.ended <- err
			return
		}
	}
}
