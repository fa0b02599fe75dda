package toolcaller_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent"
	"evalctl/agent/system"
	"evalctl/agent/toolcaller"
)

func fileOf(name, text string) string {
	GinkgoHelper()
	path := filepath.Join(GinkgoT().TempDir(), name)
	Expect(os.WriteFile(path, []byte(text), 0o600)).To(Succeed())
	return path
}

const weather = `{"type":"function","function":{"name":"weather","description":"tells the weather","parameters":{"type":"object","properties":{"city":{"type":"string"}},"required":["city"]}}}`

var _ = Describe("The target tool-calling", func() {
	labels := []system.Label{{Name: "weather"}, {Name: "refund", Description: "money back"}, {Name: "other"}}

	// opened opens a variant with these settings and answers one turn. It returns the reply and the
	// version of the variant.
	opened := func(d *desk, oos string, given map[string]string) (agent.Reply, string) {
		GinkgoHelper()
		of := toolcaller.System()
		o, err := of.Open(system.Options{SettingValues: of.WithDefaults(given), EndpointOf: d.link,
			Labels: labels, OOSLabel: oos})
		Expect(err).NotTo(HaveOccurred())
		a, err := o.NewAgent(1, d.link)
		Expect(err).NotTo(HaveOccurred())
		r, _, err := respond(a, agent.Turn{Text: "x"})
		Expect(err).NotTo(HaveOccurred())
		return r, o.Version
	}

	It("offers the model one tool per label, but none for the no-tool label", func() {
		d := &desk{}
		d.answer.Content = "No."
		r, _ := opened(d, "other", nil)
		Expect(d.asked.Tools).To(Equal([]string{"weather", "refund"}))
		Expect(r.Predicted).To(Equal("other"))
		r, _ = opened(d, "other", map[string]string{"no-tool-label": "weather"})
		Expect(d.asked.Tools).To(Equal([]string{"refund", "other"}), "--no-tool-label comes first")
		Expect(r.Predicted).To(Equal("weather"))
		r, _ = opened(d, "", nil)
		Expect(d.asked.Tools).To(Equal([]string{"weather", "refund", "other"}))
		Expect(r.Predicted).To(Equal("invalid"))
	})

	It("requires a tool call if tool-choice is required, and then also offers a tool for the no-tool label", func() {
		d := &desk{}
		d.answer.Content = "No."
		r, _ := opened(d, "other", map[string]string{"tool-choice": "required"})
		Expect(d.asked.Tools).To(Equal([]string{"weather", "refund", "other"}))
		Expect(r.Predicted).To(Equal("weather"), "the mock has the first called where the model calls none")
	})

	It("reads parameters, descriptions and further tools from the file of the setting tools", func() {
		d := &desk{}
		d.answer.ToolCalls = calls("weather", "").ToolCalls
		d.answer.Content = "Oslo"
		file := fileOf("tools.json", `{"tools":[`+weather+`,{"type":"function","function":{"name":"taxi"}}]}`)
		r, version := opened(d, "other", map[string]string{"tools": file})
		Expect(d.asked.Tools).To(Equal([]string{"weather", "refund", "taxi"}))
		Expect(r.Slots).To(Equal(map[string]string{"city": "Oslo"}),
			"the simulated model fits its arguments to the schema")
		_, other := opened(d, "other", map[string]string{"tools": fileOf("tools.json", "["+weather+"]")})
		Expect(other).NotTo(Equal(version), "X8: the key tells what was read")
	})

	It("X7: uses the prompt of the setting prompt instead of the built-in one", func() {
		d := &desk{answer: calls("weather", `{}`)}
		_, defaultValue := opened(d, "", nil)
		_, own := opened(d, "", map[string]string{"prompt": fileOf("p.md", "Call something.")})
		Expect(d.asked.Messages[0].Text).To(Equal("Call something."))
		Expect(own).NotTo(Equal(defaultValue))
	})

	DescribeTable("rejects an invalid setting with a message of one line", func(setting, value, message string) {
		of := toolcaller.System()
		if setting == "tools" {
			value = fileOf("t.json", value)
		}
		_, err := of.Open(system.Options{SettingValues: of.WithDefaults(map[string]string{setting: value}),
			EndpointOf: (&desk{}).link, Labels: labels, OOSLabel: "other"})
		Expect(err).To(MatchError(ContainSubstring(message)))
		Expect(err.Error()).NotTo(ContainSubstring("\n"))
	},
		Entry(nil, "no-tool-label", "nope", `no-tool-label: "nope" is not one of the labels`),
		Entry(nil, "tools", `[]`, "t.json: holds no tool"),
		Entry(nil, "tools", `{`, "t.json: unexpected end of JSON input"),
		Entry(nil, "tools", `[{"type":"mcp"}]`, `t.json: tools[0]: type "mcp" is not a function`),
		Entry(nil, "tools", `[{"function":{"name":"a b"}}]`,
			`t.json: tools[0]: name "a b" is not one of 1 to 64 letters`),
		Entry(nil, "tools", `[`+weather+`,`+weather+`]`, `"weather" and "weather" would both be called weather`),
		Entry(nil, "tools", `[{"function":{"name":"other"}}]`,
			`tools: "other" is the label for no tool, and the name of a tool`),
		Entry(nil, "tools", `[{"function":{"name":"a","parameters":[]}}]`,
			`"a": parameters: [] is not a JSON schema of an object`),
	)
})

// FuzzTools checks that ParseTools either rejects a file or returns tools that a request may
// contain.
func FuzzTools(f *testing.F) {
	for _, s := range []string{"[" + weather + "]", `{"tools":[]}`, `[{"function":{"name":"a","parameters":null}}]`,
		"\ufeff[]", `[1]`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		list, err := toolcaller.ParseTools([]byte(text))
		if err != nil {
			return
		}
		for _, tool := range list {
			if tool.Label != toolcaller.ToolName(tool.Label) || tool.Parameters != nil && !json.Valid(tool.Parameters) {
				t.Fatalf("%q gives %+v", text, tool)
			}
		}
	})
}
