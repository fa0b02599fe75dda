package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/cmd/evalctl/exit"
)

// jokeCases are cases with an out-of-scope label that an agent of answeringNone does not know.
const jokeCases = `{"id":"1","text":"give me my money","label":"refund"}
{"id":"2","text":"where is my parcel?","label":"delivery"}
{"id":"3","text":"tell me a joke","label":"oos"}
{"id":"4","text":"another joke","label":"oos"}
{"id":"5","turns":[{"input":{"text":"money"},"expect":{"label":"refund"}},{"input":{"text":"hm"},"expect":{"label":"oos"}}]}
`

// fiveLines is an agent as users write their first one. It answers None for everything out of scope.
const fiveLines = `import json, sys
for line in sys.stdin:
    text = json.loads(line)["text"]
    label = "refund" if "money" in text else "delivery" if "parcel" in text else "None"
    print(json.dumps({"label": label}))
`

// modelAnswering starts an OpenAI-compatible endpoint that always returns the same message.
func modelAnswering(message string) (base string) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = fmt.Fprintf(w, `{"choices":[{"index":0,"message":%s,"finish_reason":"stop"}],`+
			`"usage":{"prompt_tokens":1,"completion_tokens":1}}`, message)
	}))
	DeferCleanup(s.Close)
	return s.URL + "/v1"
}

var _ = Describe("Your own agent", func() {
	run := func(cases string, args ...string) (cliResult, string) {
		dir := newRunDir()
		return evalctl(append([]string{"run", "--dataset", fileOf("cases.jsonl", cases), "--out", dir},
			args...)...), dir
	}
	accuracy := func(dir string) float64 {
		return *summaryOf(dir).Suites[0].Conditions[0].Metrics["route.accuracy"].Value
	}

	It("30.5: is evaluated without further flags: five lines that print a label, one process per trial", func() {
		agent := []string{"--target", "exec", "--", interpreter("python3"), fileOf("agent.py", fiveLines)}
		got, dir := run(jokeCases, agent...)
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		Expect(accuracy(dir)).To(Equal(0.4))
		Expect(manifestIn(dir).Parallel).To(Equal([]int{4}))
		Expect(got.stderr).To(ContainSubstring(`evalctl: suite exec, variant exec: 3 answers were "None", ` +
			`which is not a label. If it means "oos", add --alias None=oos` + "\n"))

		got, dir = run(jokeCases, append([]string{"--alias", "None=oos", "-j", "2"}, agent...)...)
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		Expect(accuracy(dir)).To(Equal(1.0))
		Expect(manifestIn(dir).Parallel).To(Equal([]int{2}))
		Expect(got.stderr).NotTo(ContainSubstring("--alias"))
		Expect(string(manifestIn(dir).Suites[0])).To(MatchRegexp(`"aliases": \{\s*"None": "oos"\s*\}`))
		Expect(evalctl("show", dir, "3").stdout).To(ContainSubstring("route None → oos"))
		Expect(evalctl("run", "--resume", dir, "--trust", "-q").code).To(Equal(exit.Passed))
	})

	DescribeTable("30.5: is evaluated over HTTP without further flags, whatever usual name its label has",
		func(answer string) {
			got, dir := run(customCases, "--target", "http", "--url", agentAnswering(answer))
			Expect(got.code).To(Equal(exit.Passed), got.stderr)
			Expect(accuracy(dir)).To(Equal(0.75))
			Expect(manifestIn(dir).Parallel).To(Equal([]int{4}))
		},
		Entry(nil, `{"intent":"refund"}`), Entry(nil, `{"prediction":{"class":"refund"},"answer":"Sure!"}`),
		Entry(nil, `{"status":"ok","result":{"category":"refund"}}`),
	)

	It("30.5: is shown its answer, without secrets, and how to name the path if the label is elsewhere", func() {
		GinkgoT().Setenv("FOREIGN_TEST_TOKEN", "s3cr3ts3cr3t")
		answer := `{"top":[{"tag":"refund"}],"echo":"s3cr3ts3cr3t","api_key":"abcdefghijkl"}`
		url := agentAnswering(answer)
		header := "Authorization=Bearer $FOREIGN_TEST_TOKEN"
		got, dir := run(customCases, "--target", "http", "--url", url, "--header", header)
		Expect(got.code).To(Equal(exit.Incomplete))
		Expect(got.stderr).To(MatchRegexp(`no label under a usual name \(label, intent, class, .*\): ` +
			`\{"top":\[\{"tag":"refund"\}\],"echo":"\[redacted\]","api_key":"\[redacted\]"\}\. ` +
			`Its label may be at /top/0/tag: --label-path /top/0/tag`))
		Expect(read(dir, "results.jsonl")).NotTo(ContainSubstring("s3cr3t"))
		named, dir := run(customCases, "--target", "http", "--url", url, "--header", header,
			"--label-path", "/top/0/tag")
		Expect(named.code).To(Equal(exit.Passed), named.stderr)
		Expect(accuracy(dir)).To(Equal(0.75))

		print := []string{"--", interpreter("python3"), "-c", "while input(): print('" + answer + "')"}
		got, _ = run(customCases, append([]string{"--target", "exec"}, print...)...)
		Expect(got.stderr).To(ContainSubstring("--label-path /top/0/tag"))
		named, _ = run(customCases, append([]string{"--target", "exec", "--label-path", "/top/0/tag"}, print...)...)
		Expect(named.code).To(Equal(exit.Passed), named.stderr)
	})

	DescribeTable("30.5: can call a label by another name, whatever the target is",
		func(target, answer string, args ...string) {
			base := []string{"--target", target, "--oos-label", "oos"}
			if target == "http" {
				base = append(base, "--url", agentAnswering(answer))
			} else {
				base = append(base, "--model", "my-model", "--base-url", modelAnswering(answer))
			}
			cases := `{"id":"1","text":"hm","label":"oos"}
{"id":"2","text":"tell me a joke","label":"oos"}
{"id":"3","text":"money","label":"refund"}
`
			base = append(base, args...)
			got, _ := run(cases, base...)
			Expect(got.stderr).To(ContainSubstring(`3 answers were "None", which is not a label. If it means "oos", ` +
				`add --alias None=oos`))
			got, dir := run(cases, append(base, "--alias", "none = oos")...)
			Expect(got.code).To(Equal(exit.Passed), got.stderr)
			Expect(*summaryOf(dir).Suites[0].Conditions[0].Metrics["oos.recall"].Value).To(Equal(1.0))
		},
		Entry("http", "http", `{"label":"None"}`),
		Entry("a model that answers JSON", "prompt", `{"role":"assistant","content":"{\"label\":\"None\"}"}`),
		Entry("a model that answers text", "prompt", `{"role":"assistant","content":"None."}`,
			"--answer-format", "plain"),
		Entry("a model that calls a tool", "tool-calling", `{"role":"assistant","content":null,"tool_calls":[`+
			`{"id":"c1","type":"function","function":{"name":"None","arguments":"{}"}}]}`),
	)

	It("30.5: is given a hint about an unknown label without a probable meaning, but none with -q", func() {
		cases := `{"id":"1","text":"a","label":"x"}
{"id":"2","text":"b","label":"y"}
`
		got, _ := run(cases, "--target", "http", "--url", agentAnswering(`{"label":"cake"}`), "-q")
		Expect(got.stderr).NotTo(ContainSubstring("--alias"))
		got, _ = run(cases, "--target", "http", "--url", agentAnswering(`{"label":"cake"}`))
		Expect(got.stderr).To(ContainSubstring(`2 answers were "cake", which is not a label. ` +
			`If it means a label, add --alias cake=LABEL`))
	})

	It("30.5: has its aliases in the suite file, which --alias replaces", func() {
		file := fileOf("own.yaml",
			"name: s\ntarget: http\ndataset: cases.jsonl\naliases: {None: oos, Money back: refund}\n"+
				"variants: [{name: a, url: \""+agentAnswering(`{"label":"none"}`)+"\"}]\n")
		write(filepath.Join(filepath.Dir(file), "cases.jsonl"), jokeCases)
		dir := newRunDir()
		got := evalctl("run", file, "--out", dir)
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		Expect(accuracy(dir)).To(Equal(0.4))
		got = evalctl("run", file, "--out", newRunDir(), "--alias", "Nothing=oos")
		Expect(got.code).To(Equal(exit.Incomplete), got.stderr)
	})

	DescribeTable("30.5: is refused with an alias that has no clear meaning", func(want string, aliases ...string) {
		args := []string{"--target", "http", "--url", "http://127.0.0.1:1"}
		for _, a := range aliases {
			args = append(args, "--alias", a)
		}
		got, _ := run(jokeCases, args...)
		Expect(got.code).To(Equal(exit.InvalidUsage))
		Expect(got.stderr).To(ContainSubstring(want))
	},
		Entry(nil, `--alias: "None" is not ALIAS=LABEL, as in None=oos`, "None"),
		Entry(nil, `--alias: "None" is given twice, for "oos" and for "refund"`, "None=oos", "None=refund"),
		Entry(nil, `aliases: "None": unknown label "os", did you mean "oos"?`, "None=os"),
		Entry(nil, `aliases: "Refund" is read as the label "refund" already: remove the alias`, "Refund=oos"),
		Entry(nil, `aliases: "NONE" and "None" differ only in spelling, and mean two labels`,
			"None=oos", "NONE=refund"),
	)

	It("30.5: can have aliases only if the dataset defines its labels", func() {
		refuses("suite toolrouter: aliases: toolrouter has labels of its own", "run", "toolrouter",
			"--alias", "None=chat")
		Expect(evalctl("chat", "toolrouter", "--alias", "None=chat")).
			To(Equal(cliResult{exit.InvalidUsage, "", "evalctl: --alias: toolrouter: labels of its own\n"}))
	})
})
