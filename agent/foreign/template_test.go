package foreign_test

import (
	"encoding/json"
	"strings"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent"
	"evalctl/agent/foreign"
	"evalctl/agent/system"
)

var labels = []system.Label{{Name: "refund"}, {Name: "退款"}}

// requestWithEscapes is a request with text that JSON must escape.
var requestWithEscapes = foreign.Request{ID: "q1", Session: "s1", Turn: agent.Turn{
	Text: "say \"hi\"\\ {{history}} </b>\n退款", History: []agent.Message{{Role: "user", Content: "早"}},
	Documents: []agent.Document{{Name: "a.txt", Content: "x"}},
	Options:   map[string]json.RawMessage{"lang": json.RawMessage(`"zh"`), "deep": json.RawMessage(`{"a":[1]}`)},
}}

var _ = DescribeTable("A request template is filled with any text", func(template, want string) {
	t, err := foreign.NewTemplate(template, labels)
	Expect(err).NotTo(HaveOccurred())
	filled, err := t.Fill(requestWithEscapes)
	Expect(err).NotTo(HaveOccurred())
	Expect(filled).To(MatchJSON(want))
},
	Entry("for a placeholder in place of a JSON value", `{"q":{{text}}}`, `{"q":"say \"hi\"\\ {{history}} </b>\n退款"}`),
	Entry("for a placeholder in quotes in place of a JSON value", `{"q":"{{text}}","h":"{{history}}"}`,
		`{"q":"say \"hi\"\\ {{history}} </b>\n退款","h":[{"role":"user","content":"早"}]}`),
	Entry("for a placeholder within a string", `{"q":"User: {{ text }}!"}`,
		`{"q":"User: say \"hi\"\\ {{history}} </b>\n退款!"}`),
	Entry("for a placeholder after an escaped quote", `{"q":"\"{{session}}\""}`, `{"q":"\"s1\""}`),
	Entry("and with a list in place of a placeholder within a string", `{"q":"of {{labels}}"}`,
		`{"q":"of [\"refund\",\"退款\"]"}`),
	Entry("and with the whole conversation", `{{messages}}`,
		`[{"role":"user","content":"早"},{"role":"user","content":"say \"hi\"\\ {{history}} </b>\n退款"}]`),
	Entry("and with options of the case; a missing option becomes null",
		`{"l":{{options.lang}},"d":{{options.deep}},"n":{{options.none}},"i":"a{{options.none}}b","s":{{state}}}`,
		`{"l":"zh","d":{"a":[1]},"n":null,"i":"ab","s":{}}`),
	Entry("and with documents and images", `{"d":{{documents}},"i":{{images}},"m":{{mask}},"id":{{id}}}`,
		`{"d":[{"name":"a.txt","content":"x"}],"i":[],"m":"","id":"q1"}`),
	Entry("or is sent unchanged if it has no placeholders", `{"ping":true}`, `{"ping":true}`),
)

var _ = DescribeTable("A request template is rejected if it is invalid", func(template, want string) {
	_, err := foreign.NewTemplate(template, nil)
	Expect(err).To(MatchError(ContainSubstring(want)))
},
	Entry("because it is not JSON", `{"q":{{text}}`, "is not valid JSON after its placeholders are filled"),
	Entry("because of an unknown placeholder", `{"q":{{label}}}`, "{{label}} is not a place (known: text, history"),
	Entry("because of an unknown member of a placeholder", `{"q":{{text.a}}}`, "{{text.a}} is not a place"),
	Entry("because it is empty", ``, "is not valid JSON"),
	Entry("because it is too long", strings.Repeat(" ", foreign.MaxTemplateBytes+1), "bytes"),
)

var _ = It("A request in the default format is one line of JSON, with a history that is never null", func() {
	b, err := foreign.Request{ID: "1", Session: "s", Turn: agent.Turn{Text: "a\nb"}}.JSON()
	Expect(err).NotTo(HaveOccurred())
	Expect(string(b)).To(Equal(`{"id":"1","text":"a\nb","history":[],"session":"s"}`))
})

// FuzzTemplate checks that a valid template becomes valid JSON with every text.
func FuzzTemplate(f *testing.F) {
	for _, t := range []string{`{"q":{{text}}}`, `{"q":"a {{text}} b"}`, `"{{text}}"`, `{"{{text}}":1}`, `{{messages}}`,
		`{"a":"\\{{text}}"}`, `{"a":"\"{{text}}"}`} {
		f.Add(t, `say "hi" \`)
	}
	f.Fuzz(func(t *testing.T, template, text string) {
		made, err := foreign.NewTemplate(template, nil)
		if err != nil {
			return
		}
		filled, err := made.Fill(foreign.Request{Turn: agent.Turn{Text: text}})
		if err != nil || !json.Valid(filled) {
			t.Fatalf("%q with %q becomes %q: %v", template, text, filled, err)
		}
	})
}
