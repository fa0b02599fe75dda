package journal_test

import (
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent"
	"evalctl/agent/secret"
	"evalctl/agent/trace"
	"evalctl/eval"
	"evalctl/eval/journal"
)

var _ = Describe("A stored result whose case contains a secret", func() {
	const key = "sk-0123456789abcdef"

	It("contains the case fields unchanged, and the secret is redacted in the agent's output", func() {
		dir, w := newJournal(journal.Manifest{})
		w.Secrets = secret.NewSet(key, "")
		r := full("a")
		r.Case, r.Text, r.Tags = "id "+key, "why is "+key+" refused?", []string{key}
		set := r.EncodeCaseFields()
		r.DecidedBy, r.Error = "said "+key, &eval.Error{Kind: eval.ProviderError, Message: key}
		r.Scores[0].Reason = key
		r.Nodes = []eval.NodeVisit{{Node: key}}
		r.Outcome.Turns[0].Reply = agent.Reply{Content: key}
		r.Outcome.Turns[0].Events = []trace.Event{{Kind: trace.KindChunk, Text: key, Node: key}}
		Expect(w.Add(r)).To(Succeed())
		Expect(w.Close()).To(Succeed())

		list, err := all(journal.ReadRunResults(dir))
		Expect(err).NotTo(HaveOccurred())
		Expect(list).To(HaveLen(1))
		Expect(list[0].EncodeCaseFields()).To(Equal(set))
		Expect([]string{list[0].DecidedBy, list[0].Error.Message, list[0].Scores[0].Reason, list[0].Nodes[0].Node}).
			To(Equal([]string{"said [redacted]", "[redacted]", "[redacted]", "[redacted]"}))
		Expect(strings.Count(read(dir, journal.ResultsFile), key)).To(Equal(3), "case, text and tag")

		traces, err := journal.CaseTraces(dir, r.Case)
		Expect(err).NotTo(HaveOccurred())
		Expect(traces).To(HaveLen(1), "of the case as it is called")
		Expect(traces[0].Error).To(Equal(list[0].Error))
		Expect(traces[0].Expected).To(Equal(r.Expected))
		Expect(traces[0].Outcome.Turns[0].Reply.Content).To(Equal("[redacted]"))
		Expect(traces[0].Outcome.Turns[0].Events[0].Text + traces[0].Outcome.Turns[0].Events[0].Node).
			To(Equal("[redacted][redacted]"))
	})
})
