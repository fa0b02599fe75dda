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

// nasty is a question that would break what is not escaped.
var nasty = foreign.Request{ID: "q1", Session: "s1", Turn: agent.Turn{
	Text: "say \"hi\"\\ {{history}} </b>\n退款", History: []agent.Message{{Role: "user", Content: "早"}},
	Documents: []agent.Document{{Name: "a.txt", Content: "x"}},
	Options:   map[string]json.RawMessage{"lang": json.RawMessage(`"zh"`), "deep": json.RawMessage(`{"a":[1]}`)},
}}

var _ = DescribeTable("A template takes what is asked, whatever its texts hold", func(template, want string) {
	t, err := foreign.NewTemplate(template, labels)
	Expect(err).NotTo(HaveOccurred())
	filled, err := t.Fill(nasty)
	Expect(err).NotTo(HaveOccurred())
	Expect(filled).To(MatchJSON(want))
},
	Entry("as a value", `{"q":{{text}}}`, `{"q":"say \"hi\"\\ {{history}} </b>\n退款"}`),
	Entry("in quotes, as a value", `{"q":"{{text}}","h":"{{history}}"}`, `{"q":"say \"hi\"\\ {{history}} </b>\n退款","h":[{"role":"user","content":"早"}]}`),
	Entry("within a text", `{"q":"User: {{ text }}!"}`, `{"q":"User: say \"hi\"\\ {{history}} </b>\n退款!"}`),
	Entry("behind a quote of the text's own", `{"q":"\"{{session}}\""}`, `{"q":"\"s1\""}`),
	Entry("a list within a text", `{"q":"of {{labels}}"}`, `{"q":"of [\"refund\",\"退款\"]"}`),
	Entry("all that was said", `{{messages}}`, `[{"role":"user","content":"早"},{"role":"user","content":"say \"hi\"\\ {{history}} </b>\n退款"}]`),
	Entry("options of the case, and one that it has not", `{"l":{{options.lang}},"d":{{options.deep}},"n":{{options.none}},"i":"a{{options.none}}b","s":{{state}}}`,
		`{"l":"zh","d":{"a":[1]},"n":null,"i":"ab","s":{}}`),
	Entry("documents and pictures", `{"d":{{documents}},"i":{{images}},"m":{{mask}},"id":{{id}}}`, `{"d":[{"name":"a.txt","content":"x"}],"i":[],"m":"","id":"q1"}`),
	Entry("nothing of it", `{"ping":true}`, `{"ping":true}`),
)

var _ = DescribeTable("A template is refused", func(template, want string) {
	_, err := foreign.NewTemplate(template, nil)
	Expect(err).To(MatchError(ContainSubstring(want)))
},
	Entry("that is no JSON", `{"q":{{text}}`, "is not valid JSON after its placeholders are filled"),
	Entry("with a place that there is not", `{"q":{{label}}}`, "{{label}} is no place (known: text, history"),
	Entry("with a member of what has none", `{"q":{{text.a}}}`, "{{text.a}} is no place"),
	Entry("that is nothing", ``, "is not valid JSON"),
	Entry("that is endless", strings.Repeat(" ", foreign.MaxTemplate+1), "bytes"),
)

var _ = It("A question in the usual form is one line, with a history that is never null", func() {
	b, err := foreign.Request{ID: "1", Session: "s", Turn: agent.Turn{Text: "a\nb"}}.JSON()
	Expect(err).NotTo(HaveOccurred())
	Expect(string(b)).To(Equal(`{"id":"1","text":"a\nb","history":[],"session":"s"}`))
})

// FuzzTemplate: what is taken is JSON with every text in it.
func FuzzTemplate(f *testing.F) {
	for _, t := range []string{`{"q":{{text}}}`, `{"q":"a {{text}} b"}`, `"{{text}}"`, `{"{{text}}":1}`, `{{messages}}`, `{"a":"\\{{text}}"}`, `{"a":"\"{{text}}"}`} {
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
