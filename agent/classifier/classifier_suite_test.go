package classifier_test

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent"
	"evalctl/agent/classifier"
	"evalctl/agent/clock"
	"evalctl/agent/llm"
	"evalctl/agent/system"
	"evalctl/agent/trace"
	"evalctl/mocks"
	"evalctl/mocks/fault"
	"evalctl/mocks/model"
	"evalctl/mocks/transport"
)

func TestClassifier(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "Classifier")
}

// mockModel is a mock model that always returns the same answer and records the last request.
type mockModel struct {
	answer  string
	finish  string // finish_reason; "": the default
	faults  string
	request model.Request
}

// client returns a client that calls the mock model.
func (d *mockModel) client() *llm.Client {
	GinkgoHelper()
	cfg := mocks.Config{Model: model.Func(func(r model.Request) model.Answer {
		d.request = r
		return model.Answer{Content: d.answer, FinishReason: d.finish}
	})}
	if d.faults != "" {
		var err error
		cfg.Faults, err = fault.Parse(d.faults, nil)
		Expect(err).NotTo(HaveOccurred())
	}
	server, err := mocks.New(cfg)
	Expect(err).NotTo(HaveOccurred())
	c, err := llm.New(llm.Config{Node: classifier.Node, Provider: "openai", Model: "m", APIKey: "k",
		HTTP: &http.Client{Transport: transport.Transport{Handler: server.ForComponent("router")}}})
	Expect(err).NotTo(HaveOccurred())
	return c
}

// labels returns labels with these names.
func labels(names ...string) (list []system.Label) {
	for _, n := range names {
		list = append(list, system.Label{Name: n})
	}
	return list
}

// reply runs a classifier on one turn.
func reply(cfg classifier.Config, t agent.Turn) (r agent.Reply, events []trace.Event, err error) {
	GinkgoHelper()
	a, err := classifier.New(cfg)
	Expect(err).NotTo(HaveOccurred())
	err = clock.RunSimulated(context.Background(), time.Unix(0, 0), func(ctx context.Context) (err error) {
		r, err = a.Respond(ctx, t, func(e trace.Event) { events = append(events, e) })
		return err
	})
	return r, events, err
}

// link returns an endpoint of the mock model.
func (d *mockModel) link(string) system.Endpoint {
	GinkgoHelper()
	server, err := mocks.New(mocks.Config{Model: model.Func(func(r model.Request) model.Answer {
		d.request = r
		return model.Answer{Content: d.answer}
	})})
	Expect(err).NotTo(HaveOccurred())
	return system.Endpoint{Provider: "openai", Model: "m", APIKey: "k",
		HTTP: &http.Client{Transport: transport.Transport{Handler: server}}}
}

// shown returns the example lines in the prompt for a text.
func shown(o system.LoadedVariant, d *mockModel, text string) (lines []string) {
	GinkgoHelper()
	a, err := o.NewAgent(1, d.link)
	Expect(err).NotTo(HaveOccurred())
	Expect(clock.RunSimulated(context.Background(), time.Unix(0, 0), func(ctx context.Context) error {
		_, err := a.Respond(ctx, agent.Turn{Text: text}, nil)
		return err
	})).To(Succeed())
	for line := range strings.Lines(d.request.Messages[0].Text) {
		if strings.Contains(line, " => ") {
			lines = append(lines, strings.TrimSpace(line))
		}
	}
	return lines
}
