package service_test

import (
	"context"
	"net/http"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent"
	"evalctl/agent/service"
	"evalctl/agent/trace"
)

var _ = Describe("New", func() {
	DescribeTable("rejects an invalid configuration with an error that names the field",
		func(change func(*service.Config), field string) {
			cfg := only(silent)
			change(&cfg)
			_, err := service.New(cfg)
			Expect(err).To(MatchError(HavePrefix("service.Config." + field)))
		},
		Entry(nil, func(c *service.Config) { c.Agents = nil }, "Agents: there are none"),
		Entry(nil, func(c *service.Config) { c.Agents = map[string]agent.Agent{"b": nil} }, `Agents["b"]`),
		Entry(nil, func(c *service.Config) { c.Agents = map[string]agent.Agent{"": agent.Func(silent)} }, `Agents[""]`),
		Entry(nil, func(c *service.Config) { c.MaxBody = -1 }, "MaxBody: -1"),
		Entry(nil, func(c *service.Config) { c.MaxTotalBytes = -1 }, "MaxTotalBytes: -1"),
		Entry(nil, func(c *service.Config) { c.AllowedOrigins = []string{"app.example.com"} }, "AllowedOrigins: "),
		Entry(nil, func(c *service.Config) { c.MaxConcurrent = -1 }, "MaxConcurrent: -1"),
		Entry(nil, func(c *service.Config) { c.Timeout = -1 }, "Timeout: -1ns"),
		Entry(nil, func(c *service.Config) { c.Heartbeat = -1 }, "Heartbeat: -1ns"),
		Entry(nil, func(c *service.Config) { c.WriteTimeout = -1 }, "WriteTimeout: -1ns"),
	)

	It("is not affected by later changes to the caller's map of agents", func() {
		cfg := only(silent)
		s := made(cfg)
		delete(cfg.Agents, "a")
		Expect(recorded(s, "POST", chatPath, `{}`).Code).To(Equal(200))
	})
})

var _ = Describe("Service", func() {
	two := func() *service.Service {
		cfg := only(silent)
		cfg.Agents["b"] = agent.Func(silent)
		return made(cfg)
	}

	It("lists its agents in alphabetical order", func() {
		w := recorded(two(), "GET", "/v1/agents", "")
		Expect(w.Code).To(Equal(200))
		Expect(w.Header().Get("Content-Type")).To(Equal("application/json"))
		Expect(w.Body.String()).To(Equal(`{"agents":["a","b"]}` + "\n"))
	})

	It("reports on /healthz that it is healthy until it drains", func() {
		s := two()
		w := recorded(s, "GET", "/healthz", "")
		Expect(w.Code).To(Equal(200))
		Expect(w.Body.String()).To(Equal(`{"status":"ok"}` + "\n"))
		s.Drain()
		w = recorded(s, "GET", "/healthz", "")
		Expect(w.Code).To(Equal(503))
		Expect(w.Body.String()).To(Equal(`{"status":"draining"}` + "\n"))
	})

	DescribeTable("answers a request for an unknown path, agent or method with an error",
		func(method, path string, status int, code, message, allowed string) {
			w := recorded(two(), method, path, `{}`)
			Expect(w.Code).To(Equal(status))
			Expect(w.Header().Get("Allow")).To(Equal(allowed))
			gotCode, gotMessage := problemOf(w)
			Expect(gotCode).To(Equal(code))
			Expect(gotMessage).To(Equal(message))
		},
		Entry(nil, "GET", "/", 404, "NOT_FOUND", `nothing is at "/"`, ""),
		Entry(nil, "POST", "/v1/agents/a", 404, "NOT_FOUND", `nothing is at "/v1/agents/a"`, ""),
		Entry(nil, "POST", "/v1/agents/c/chat", 404, "UNKNOWN_AGENT", `no agent is called "c"; there are: a, b`, ""),
		Entry("an agent name that is not printable", "POST", "/v1/agents/%00%ff%2F/chat", 404, "UNKNOWN_AGENT",
			`no agent is called "\x00\xff/"; there are: a, b`, ""),
		Entry("an agent name that is too long", "POST", "/v1/agents/0123456789012345678901234567890123456789X/chat",
			404, "UNKNOWN_AGENT",
			`no agent is called "0123456789012345678901234567890123456789"…; there are: a, b`, ""),
		Entry(nil, "HEAD", chatPath, 405, "METHOD_NOT_ALLOWED", `"HEAD" is not answered here`, "GET, POST"),
		Entry(nil, "PUT", chatPath, 405, "METHOD_NOT_ALLOWED", `"PUT" is not answered here`, "GET, POST"),
		Entry(nil, "POST", "/v1/agents", 405, "METHOD_NOT_ALLOWED", `"POST" is not answered here`, "GET, HEAD"),
		Entry(nil, "DELETE", "/healthz", 405, "METHOD_NOT_ALLOWED", `"DELETE" is not answered here`, "GET, HEAD"),
	)

	It("limits and counts concurrent answers", func(ctx SpecContext) {
		cfg := only(func(ctx context.Context, _ agent.Turn, _ func(trace.Event)) (agent.Reply, error) {
			<-ctx.Done()
			return agent.Reply{}, ctx.Err()
		})
		cfg.MaxConcurrent = 2
		s, server := listening(cfg)
		begun, hangUp := context.WithCancel(ctx)
		defer hangUp()
		for range 2 {
			r, err := post(begun, server.Client(), server.URL, `{}`)
			Expect(err).NotTo(HaveOccurred())
			Expect(r.StatusCode).To(Equal(200))
		}
		Expect(s.AnswersInProgress()).To(Equal(2))

		w := recorded(s, "POST", chatPath, `no JSON: it is not even read`)
		Expect(w.Code).To(Equal(503))
		Expect(w.Header().Get("Retry-After")).To(Equal("1"))
		code, message := problemOf(w)
		Expect(code).To(Equal("TOO_MANY_REQUESTS"))
		Expect(message).To(ContainSubstring("2 answers"))

		hangUp()
		Eventually(s.AnswersInProgress).Should(BeZero())
		Expect(recorded(s, "POST", chatPath, `{"images":[""]}`).Code).To(Equal(400))
		Expect(s.AnswersInProgress()).To(BeZero())
	})

	It("continues answers in progress and rejects new requests after Drain", func(ctx SpecContext) {
		release := make(chan struct{})
		s, server := listening(only(func(context.Context, agent.Turn, func(trace.Event)) (agent.Reply, error) {
			<-release
			return agent.Reply{Content: "fertig"}, nil
		}))
		r, err := post(ctx, server.Client(), server.URL, `{}`)
		Expect(err).NotTo(HaveOccurred())
		s.Drain()
		w := recorded(s, "POST", chatPath, `{}`)
		Expect(w.Code).To(Equal(http.StatusServiceUnavailable))
		Expect(w.Header().Get("Retry-After")).To(Equal("1"))
		code, _ := problemOf(w)
		Expect(code).To(Equal("SHUTTING_DOWN"))
		close(release)
		Expect(whole(r)).To(ContainSubstring(`"content":"fertig"`))
	})
})
