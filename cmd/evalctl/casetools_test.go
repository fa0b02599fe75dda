package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/cmd/evalctl/exit"
)

// bfclCases imports questions of BFCL and returns the path of the cases. The question "do N" has the
// tools get.N and put.N and requires get.N. A last question, "sing", has the tool get.sing and
// requires none.
func bfclCases(n int) string {
	GinkgoHelper()
	function := func(name string) string {
		return fmt.Sprintf(`{"name":%q,"description":"runs\n%s","parameters":`+
			`{"type":"dict","properties":{"x":{"type":"float"}}}}`, name, name)
	}
	question := `{"id":"%s_%v","question":[[{"role":"user","content":%q}]],"function":[%s]}` + "\n"
	var questions, answers strings.Builder
	for i := range n {
		get, put := fmt.Sprintf("get.%d", i), fmt.Sprintf("put.%d", i)
		fmt.Fprintf(&questions, question, "multiple", i, fmt.Sprint("do ", i), function(get)+","+function(put))
		fmt.Fprintf(&answers, `{"id":"multiple_%d","ground_truth":[{%q:{"x":[1]}}]}`+"\n", i, get)
	}
	folder := GinkgoT().TempDir()
	Expect(os.Mkdir(filepath.Join(folder, "possible_answer"), 0o700)).To(Succeed())
	write(filepath.Join(folder, "BFCL_v4_multiple.json"), questions.String())
	write(filepath.Join(folder, "possible_answer", "BFCL_v4_multiple.json"), answers.String())
	write(filepath.Join(folder, "BFCL_v4_irrelevance.json"),
		fmt.Sprintf(question, "irrelevance", 0, "sing", function("get.sing")))
	cases := filepath.Join(folder, "cases.jsonl")
	got := evalctl("dataset", "import", "bfcl", folder, "-o", cases)
	Expect(got.code).To(Equal(exit.Passed), got.stderr)
	Expect(evalctl("dataset", "check", cases).code).To(Equal(exit.Passed))
	return cases
}

// offeredTool is a tool in a request, in OpenAI's format.
type offeredTool struct {
	Function struct {
		Name, Description string
		Parameters        struct {
			Type       string
			Properties map[string]struct{ Type string }
		}
	}
}

// modelRequest is a request to a chat model.
type modelRequest struct {
	Messages []struct{ Role, Content string }
	Tools    []offeredTool
}

func (r modelRequest) text() string { return r.Messages[len(r.Messages)-1].Content }

var _ = Describe("30.6: cases with tools of their own, imported from BFCL", func() {
	// replying starts a server that decodes requests and returns the answer in JSON.
	replying := func(answer func(body *json.Decoder) string) string {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			defer GinkgoRecover()
			w.Header().Set("Content-Type", "application/json")
			_, _ = w.Write([]byte(answer(json.NewDecoder(r.Body))))
		}))
		DeferCleanup(s.Close)
		return s.URL
	}
	// asked returns the URL of a chat model that replies with the message for the request.
	asked := func(message func(modelRequest) string) string {
		return replying(func(body *json.Decoder) string {
			var r modelRequest
			Expect(body.Decode(&r)).To(Succeed())
			return `{"choices":[{"index":0,"message":` + message(r) + `,"finish_reason":"stop"}],` +
				`"usage":{"prompt_tokens":1,"completion_tokens":1}}`
		}) + "/v1"
	}
	predicted := func(dir string) map[string]string {
		GinkgoHelper()
		labels := map[string]string{}
		for _, r := range resultsOf(dir) {
			labels[r.Case] = r.Predicted
		}
		return labels
	}
	want := map[string]string{"bfcl-multiple_0": "get.0", "bfcl-multiple_1": "invalid", "bfcl-irrelevance_0": "none"}
	selected := []string{"--oos-label", "none", "--limit", "3"}

	It("an HTTP agent receives the tools, also with more than 500 labels, and in its own format", func() {
		cases := bfclCases(501)
		url := replying(func(body *json.Decoder) string {
			var r struct {
				Tools, Mine []offeredTool
			}
			Expect(body.Decode(&r)).To(Succeed())
			f := append(r.Tools, r.Mine...)[0].Function
			Expect(f.Parameters.Type + " " + f.Parameters.Properties["x"].Type).To(Equal("object number"))
			return fmt.Sprintf(`{"label":%q}`, f.Name)
		})
		for _, more := range [][]string{nil, {"--request", `{"mine":{{tools}},"text":{{text}}}`}} {
			dir := newRunDir()
			got := evalctl(append([]string{"run", "--target", "http", "--url", url, "--dataset", cases, "--tags",
				"category:multiple", "--limit", "20", "--out", dir, "-q", "--gate", "route.accuracy >= 1"}, more...)...)
			Expect(got.code).To(Equal(exit.Passed), got.stderr)
		}
	})

	It("tool-calling offers the model the tools of the case; a tool of another case is invalid", func() {
		url := asked(func(r modelRequest) string {
			if r.text() == "sing" {
				Expect(r.Tools).To(HaveLen(1))
				return `{"role":"assistant","content":"no"}`
			}
			Expect(r.Tools).To(HaveLen(2))
			f := r.Tools[0].Function
			Expect(f.Description).To(Equal("get." + r.text()[3:] + ": runs\nget." + r.text()[3:]))
			Expect(f.Parameters.Properties["x"].Type).To(Equal("number"))
			Expect(r.Tools[1].Function.Description).To(HavePrefix("put." + r.text()[3:]))
			name := f.Name
			if r.text() == "do 1" {
				name = "get.0"
			}
			return fmt.Sprintf(`{"role":"assistant","tool_calls":[{"id":"c","type":"function",`+
				`"function":{"name":%q,"arguments":"{\"x\":1}"}}]}`, name)
		})
		dir := newRunDir()
		got := evalctl(append([]string{"run", "--target", "tool-calling", "--dataset", bfclCases(501), "--model", "m",
			"--base-url", url, "--out", dir, "-q"}, selected...)...)
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		Expect(predicted(dir)).To(Equal(want))
		Expect(evalctl("show", dir, "bfcl-multiple_0").stdout).To(ContainSubstring("  offered  put.0: runs\n"))
	})

	It("prompt shows the model the tools of the case; a tool of another case is invalid", func() {
		url := asked(func(r modelRequest) string {
			label := "get." + strings.TrimPrefix(r.text(), "do ")
			parameters := ` Parameters: {"properties":{"x":{"type":"number"}},"type":"object"}` + "\n"
			list := "\n- " + label + ": runs " + label + parameters
			switch r.text() {
			case "sing":
				label = "none"
			case "do 1":
				list += "- put.1: runs put.1" + parameters
				label = "get.0"
			default:
				list += "- put.0: runs put.0" + parameters
			}
			Expect(r.Messages[0].Content).To(ContainSubstring(list + "- none\n\n"))
			return fmt.Sprintf(`{"role":"assistant","content":"{\"label\":\"%s\",\"confidence\":1}"}`, label)
		})
		dir := newRunDir()
		got := evalctl(append([]string{"run", "--target", "prompt", "--dataset", bfclCases(501), "--model", "m",
			"--base-url", url, "--out", dir, "-q"}, selected...)...)
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		Expect(predicted(dir)).To(Equal(want))
	})

	DescribeTable("a simulated model chooses among the tools of the case", func(target string) {
		cases := bfclCases(60)
		dir := newRunDir()
		suite := fileOf("s.yaml", "name: s\ntarget: "+target+"\ndataset: "+cases+
			"\noos_label: none\nmodels: {model: {accuracy: 0.5}}\nvariants: [{name: v}]\n")
		Expect(evalctl("run", suite, "--out", dir, "-q").code).To(Equal(exit.Passed))
		met := map[string]bool{}
		for id, label := range predicted(dir) {
			if n, ok := strings.CutPrefix(id, "bfcl-multiple_"); ok {
				Expect(label).To(BeElementOf("get."+n, "put."+n, "none"))
				met[label[:3]] = true
			}
		}
		Expect(met).To(HaveLen(3))
		dir = newRunDir()
		got := evalctl("run", "--target", target, "--dataset", cases, "--oos-label", "none", "--out", dir, "-q",
			"--model", "gpt-4o", "--base-url", mockServe("--dataset", cases)["openai"], "--gate", "route.accuracy >= 1")
		Expect(got.code).To(Equal(exit.Passed), got.stdout+got.stderr)
	}, Entry(nil, "prompt"), Entry(nil, "tool-calling"))

	const tools = `{"id":"a","input":{"text":"x","tools":%s},"expect":{"label":"f"}}` + "\n"
	const valid = `[{"function":{"name":"f"}}]`
	DescribeTable("are rejected with the line and a remedy", func(message, list string, args ...string) {
		cases := fileOf("cases.jsonl", fmt.Sprintf(tools, list))
		got := evalctl(append([]string{"run", "--dataset", cases, "--out", newRunDir(), "--target"}, args...)...)
		Expect(got.code).To(Equal(exit.InvalidUsage))
		Expect(got.stderr).To(ContainSubstring(message))
	},
		Entry("a label that is not offered",
			":1: expect.label: f is not a tool of the turn: name the label for no tool with --oos-label",
			`[{"function":{"name":"g"}}]`, "prompt"),
		Entry("a baseline model", "baseline:linear cannot learn from it: a baseline model learns one list of labels, "+
			"and these cases have tools of their own; run it without a baseline model",
			valid, "prompt", "--baseline-model", "linear"),
		Entry("too many tools", ":1: input: tools: 501 are more than 500", namedTools(501), "prompt"),
		Entry("too many tools for a request", ":1: 129 tools are more than 128, which is what a request may offer",
			namedTools(129), "tool-calling"),
		Entry("tools that are too large", ":1: input: tools: are larger than 256 KiB",
			`[{"function":{"name":"f","description":"`+strings.Repeat("x", 300<<10)+`"}}]`, "prompt"),
		Entry("a name that is given twice", `:1: input: tools[1].function.name: "f" is given twice`,
			`[{"function":{"name":"f"}},{"function":{"name":"f"}}]`, "prompt"),
		Entry("parameters that are no object", "tools[0].function.parameters: 7 is not a JSON schema of an object",
			`[{"function":{"name":"f","parameters":7}}]`, "prompt"),
		Entry("few-shot examples", "examples: each case has tools of its own, which are no labels of other cases: "+
			"run --target prompt without --examples", valid, "prompt", "--examples", "2"),
		Entry("an MCP server", "mcp: each case has tools of its own: leave out --mcp", valid, "tool-calling",
			"--mcp", "http://127.0.0.1:1/mcp"),
		Entry("a target with labels of its own", ":1: input.tools: are not accepted: toolrouter has labels of its own",
			valid, "toolrouter"),
	)
})

// namedTools returns this number of tools, the first of them f.
func namedTools(n int) string {
	list := make([]string, n)
	for i := range list {
		list[i] = fmt.Sprintf(`{"function":{"name":"f%d"}}`, i)
	}
	list[0] = `{"function":{"name":"f"}}`
	return "[" + strings.Join(list, ",") + "]"
}
