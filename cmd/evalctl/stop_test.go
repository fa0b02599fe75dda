package main

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"github.com/onsi/gomega/gbytes"

	"evalctl/agent"
	"evalctl/agent/service"
	"evalctl/agent/trace"
)

var _ = Describe("stopping evalctl serve", Label("concurrent"), func() {
	// begun starts a server with one answer of the agent in progress.
	begun := func(f agent.Func) (*service.Service, *http.Server, *http.Response) {
		GinkgoHelper()
		handler, err := service.New(service.Config{Agents: map[string]agent.Agent{"a": f},
			Log: slog.New(slog.DiscardHandler)})
		Expect(err).NotTo(HaveOccurred())
		server := httptest.NewServer(handler)
		resp, err := http.Post(server.URL+"/v1/agents/a/chat", "application/json", strings.NewReader(`{"text":"画"}`))
		Expect(err).NotTo(HaveOccurred())
		DeferCleanup(func() { _ = resp.Body.Close() }) // the server may have closed it
		return handler, server.Config, resp
	}

	It("cancels an answer that takes too long, informs its client, and logs the number of canceled answers", func() {
		handler, server, resp := begun(func(ctx context.Context, _ agent.Turn, _ func(trace.Event)) (agent.Reply,
			error) {
			<-ctx.Done()
			return agent.Reply{}, ctx.Err()
		})
		log := gbytes.NewBuffer()
		Expect(stop(server, handler, time.Millisecond, time.Minute, slog.New(slog.NewTextHandler(log, nil)))).
			To(Succeed())
		stream, err := io.ReadAll(resp.Body)
		Expect(err).NotTo(HaveOccurred())
		Expect(events(string(stream))).To(Equal([]string{"error", "done"}))
		Expect(string(stream)).To(ContainSubstring(`"code":"SHUTTING_DOWN"`))
		Expect(log).To(gbytes.Say(`level=WARN msg="answers are cut off" answers=1 after=1ms`))
	})

	It("closes the connection of an agent that does not stop", func() {
		release := make(chan struct{})
		defer close(release)
		handler, server, resp := begun(func(context.Context, agent.Turn, func(trace.Event)) (agent.Reply, error) {
			<-release
			return agent.Reply{}, nil
		})
		Expect(stop(server, handler, time.Millisecond, time.Millisecond, slog.New(slog.DiscardHandler))).To(Succeed())
		_, err := io.ReadAll(resp.Body)
		Expect(err).To(MatchError(io.ErrUnexpectedEOF))
	})

	It("lets an answer that ends in time complete, and then logs nothing", func() {
		release := make(chan struct{})
		handler, server, resp := begun(func(context.Context, agent.Turn, func(trace.Event)) (agent.Reply, error) {
			<-release
			return agent.Reply{Content: "好"}, nil
		})
		server.RegisterOnShutdown(func() { close(release) })
		log := gbytes.NewBuffer()
		Expect(stop(server, handler, time.Minute, time.Minute, slog.New(slog.NewTextHandler(log, nil)))).To(Succeed())
		Expect(io.ReadAll(resp.Body)).To(ContainSubstring(`"content":"好"`))
		Expect(log.Contents()).To(BeEmpty())
	})
})
