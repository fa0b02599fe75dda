package backend_test

import (
	"encoding/json"
	"fmt"
	"iter"
	"os"
	"path/filepath"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent"
	"evalctl/agent/system"
	"evalctl/eval"
	"evalctl/eval/suite"
	"evalctl/mocks/backend"
)

var _ = Describe("15.13: simulated answers", func() {
	parse := func(text string, of ...any) suite.Suite {
		GinkgoHelper()
		s, err := suite.Parse("s.yaml", []byte(fmt.Sprintf(text, of...)))
		Expect(err).NotTo(HaveOccurred())
		return s
	}

	// chats returns n conversations of four turns.
	chats := func(n int) iter.Seq2[eval.Case, error] {
		return func(yield func(eval.Case, error) bool) {
			for i := range n {
				c := eval.Case{ID: fmt.Sprint("chat ", i)}
				for turn := range 4 {
					c.Turns = append(c.Turns,
						eval.LabeledTurn{Turn: agent.Turn{Text: fmt.Sprintf("第%d个愿望，第%d次", i, turn)},
							Expected: json.RawMessage(fmt.Sprintf(`{"route":%q}`, labels[(i+turn)%len(labels)]))})
				}
				if !yield(c, nil) {
					return
				}
			}
		}
	}

	It("15.13: are equal for prompts that differ only in wording and in the position of the text", func() {
		dir := GinkgoT().TempDir()
		var prompts []string
		for i, text := range []string{"Sort it: {{labels}} as JSON", "as JSON, {{labels}}: {{text}}",
			"{{text}}\nWhich of {{labels}} is it? JSON."} {
			prompts = append(prompts, filepath.Join(dir, fmt.Sprint(i, ".md")))
			Expect(os.WriteFile(prompts[i], []byte(text), 0o600)).To(Succeed())
		}
		s := parse(`
name: p
target: prompt
dataset: wishes
variants: [{name: a, prompt: %q}, {name: b, prompt: %q}, {name: c, prompt: %q}]
models: {model: {behavior: labeled, accuracy: 0.6}}
`, prompts[0], prompts[1], prompts[2])
		var material suite.DatasetInfo
		for _, label := range labels {
			material.Labels = append(material.Labels, system.Label{Name: label})
		}
		cases := func(yield func(eval.Case, error) bool) {
			for c := range ambiguousCases(100) {
				c.Turns[0].Expected = json.RawMessage(`{"label":"chat"}`)
				if !yield(c, nil) {
					return
				}
			}
		}
		rows := rowsOf(s, cases, 1, 7, backend.Config{DatasetInfo: material})
		said := map[string]map[string]int{}
		for _, r := range rows {
			if said[r.Case] == nil {
				said[r.Case] = map[string]int{}
			}
			said[r.Case][fmt.Sprint(r.Predicted, *r.Confidence, r.Duration)]++
		}
		wrong := 0
		for id, of := range said {
			Expect(of).To(HaveLen(1), id)
			if _, right := of["chat"]; !right {
				wrong++
			}
		}
		Expect(wrong).To(BeNumerically(">", 20))
	})

	It("15.13: in turns after a fault equal those of the trial without the fault, in content and latency", func() {
		s := parse(`
name: f
target: toolrouter
dataset: wishes
faults: ["router:server_error@1", "router:malformed_json@1", "chat:timeout@1+image:task_failed@1+search:overloaded@1"]
variants: [{name: llm, router: llm-first}]
models:
  router: {behavior: labeled, accuracy: 0.6, latency: "lognormal:600ms,0.35"}
  chat: {latency: "lognormal:900ms,0.5"}
  search: {latency: "lognormal:900ms,0.5"}
  image: {latency: "lognormal:900ms,0.5"}
`)
		rows := rowsOf(s, chats(30), 1, 7, backend.Config{})
		without, compared := map[string]eval.Result{}, 0
		for _, r := range rows {
			if r.Fault == eval.NoFault {
				without[r.Case] = r
			}
		}
		for _, r := range rows {
			whole := without[r.Case]
			for _, n := range whole.Nodes {
				if r.Fault == eval.NoFault || n.Turn < 2 {
					continue
				}
				for _, m := range r.Nodes { // another component of the turn may be called for the first time
					if m.Turn == n.Turn && m.Node == n.Node && m.Node == "router" {
						Expect(m).To(Equal(n), r.Case+" "+r.Fault)
						compared++
					}
				}
			}
		}
		Expect(compared).To(BeNumerically(">", 150))
	})

	It("15.13: to a retry have another latency than those to the original call", func() {
		s := suiteWithRouter(`behavior: labeled, accuracy: 0.5, latency: "lognormal:600ms,0.5"`)
		s.Faults = []string{"router:server_error@1"}
		rows := rowsOf(s, ambiguousCases(60), 1, 3, backend.Config{})
		duration := map[string]map[string]eval.Millis{}
		for _, r := range rows {
			if duration[r.Case] == nil {
				duration[r.Case] = map[string]eval.Millis{}
			}
			single := r.Nodes[0].CallDurations
			duration[r.Case][r.Fault] = single[len(single)-1]
		}
		for id, of := range duration {
			Expect(of[eval.NoFault]).NotTo(Equal(of["router:server_error@1"]), id)
		}
	})
})
