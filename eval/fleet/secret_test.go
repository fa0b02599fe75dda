package fleet_test

import (
	"context"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/secret"
	"evalctl/eval/fleet"
	"evalctl/eval/fleet/broker"
)

var _ = It("a coordinator accepts results whose case contains a secret that only the worker has, and the secret is redacted in the agent's output", func() {
	url := startBroker(broker.Config{})
	p, k := newPlan(20, func(context.Context) (string, error) { return "it is token-abc123", nil }), &storedResults{}
	p.condition.Variant = "asked with token-abc123"
	w := p.worker(url, "a", 1)
	w.Secrets = secret.NewSet("token-abc123", "")
	startWorker(w)
	Expect(fleet.Coordinator{Conn: dial(url)}.Run(context.Background(), p.run(k))).To(Succeed())
	Expect(k.results).To(HaveLen(20))
	Expect(k.text()).To(BeEmpty())
	for _, r := range k.results {
		Expect(r.Variant).To(Equal("asked with token-abc123"))
		Expect(r.Outcome.Turns[0].Reply.Content).To(Equal("it is [redacted]"))
	}
})
