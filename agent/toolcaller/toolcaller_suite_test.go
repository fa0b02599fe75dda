package toolcaller_test

import (
	"context"
	"net/http"
	"testing"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent"
	"evalctl/agent/clock"
	"evalctl/agent/llm"
	"evalctl/agent/system"
	"evalctl/agent/toolcaller"
	"evalctl/agent/trace"
	"evalctl/mocks"
	"evalctl/mocks/fault"
	"evalctl/mocks/model"
	"evalctl/mocks/transport"
)

func TestToolcaller(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "Toolcaller")
}

// desk is a model with a configured answer. It records the requests that it receives.
type desk struct {
	answer model.Answer
	faults string
	asked  model.Request
}

func (d *desk) link(string) system.Endpoint {
	GinkgoHelper()
	cfg := mocks.Config{Model: model.Func(func(r model.Request) model.Answer {
		d.asked = r
		return d.answer
	})}
	if d.faults != "" {
		var err error
		cfg.Faults, err = fault.Parse(d.faults, nil)
		Expect(err).NotTo(HaveOccurred())
	}
	server, err := mocks.New(cfg)
	Expect(err).NotTo(HaveOccurred())
	return system.Endpoint{Provider: "openai", Model: "m", APIKey: "k",
		HTTP: &http.Client{Transport: transport.Transport{Handler: server.ForComponent("router")}}}
}

func (d *desk) client() *llm.Client {
	GinkgoHelper()
	c, err := d.link("").NewClient(llm.Config{Node: toolcaller.NodeName})
	Expect(err).NotTo(HaveOccurred())
	return c
}

// calls returns a model's answer with tool calls. words are names and arguments in alternation.
func calls(words ...string) (a model.Answer) {
	for i := 0; i < len(words); i += 2 {
		a.ToolCalls = append(a.ToolCalls, model.ToolCall{Name: words[i], Arguments: words[i+1]})
	}
	return a
}

func tools(labels ...string) (list []toolcaller.Tool) {
	for _, l := range labels {
		list = append(list, toolcaller.Tool{Label: l})
	}
	return list
}

func respond(a agent.Agent, t agent.Turn) (r agent.Reply, events []trace.Event, err error) {
	err = clock.RunSimulated(context.Background(), time.Unix(0, 0), func(ctx context.Context) (err error) {
		r, err = a.Respond(ctx, t, func(e trace.Event) { events = append(events, e) })
		return err
	})
	return r, events, err
}

func made(cfg toolcaller.Config) agent.Agent {
	GinkgoHelper()
	a, err := toolcaller.New(cfg)
	Expect(err).NotTo(HaveOccurred())
	return a
}
