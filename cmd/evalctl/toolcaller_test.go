package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/cmd/evalctl/exit"
	"evalctl/eval/journal"
)

var _ = Describe("The target tool-calling, a model that calls tools", func() {
	It("accepts custom labels, simulated and with an endpoint, even if they are not valid names of tools",
		func() {
			set := fileOf("desk.jsonl", deskCases)
			for _, more := range [][]string{nil,
				{"--model", "gpt-4o", "--base-url", mockServe("--dataset", set)["openai"]}} {
				dir := newRunDir()
				got := evalctl(append([]string{"run", "--target", "tool-calling", "--dataset", set, "--oos-label", "其他",
					"--out", dir, "-q", "--gate", "route.accuracy >= 1"}, more...)...)
				Expect(got.code).To(Equal(exit.Passed), got.stderr+got.stdout)
				Expect(summaryOf(dir).Suites[0].Conditions[0].Confusion.Labels).To(ConsistOf("退款", "delivery", "其他"))
			}
		})

	It("has the accuracy that is set for its simulated model, and no trial fails", func() {
		set := fileOf("desk.jsonl", deskCases)
		dir := newRunDir()
		suite := fileOf("s.yaml",
			"name: desk\ntarget: tool-calling\ndataset: "+set+
				"\noos_label: 其他\nepochs: 40\nmodels:\n  model:\n    accuracy: 0.5\n    difficulty: 0 # few cases\nvariants:\n  - name: auto\n  - name: required\n    tool-choice: required\n")
		Expect(evalctl("run", suite, "--out", dir, "-q").code).To(Equal(exit.Passed))
		for _, v := range summaryOf(dir).Suites[0].Conditions {
			Expect(*v.Metrics["route.accuracy"].Value).To(BeNumerically("~", 0.5, 0.12), v.Variant)
		}
		for r, err := range journal.ReadRunResults(dir) {
			Expect(err).NotTo(HaveOccurred())
			Expect(r.Error).To(BeNil())
			Expect(r.Predicted).To(BeElementOf("退款", "delivery", "其他"))
		}
	})

	It("has no shipped cases: run requires a dataset, and chat requires labels", func() {
		refuses("--target: tool-calling has no shipped cases: set --dataset FILE", "run", "--target", "tool-calling")
		got := evalctl("chat", "tool-calling")
		Expect(got.stderr).To(HavePrefix("evalctl: --labels: "))
		Expect(got.code).To(Equal(exit.InvalidUsage))
		Expect(runWithInput(context.Background(), "hello\n", "chat", "tool-calling", "--labels", "greet,other").code).
			To(Equal(exit.Passed))
	})
})

var _ = Describe("The tools of an MCP server", func() {
	// serving returns the command of a server with two tools, which is written with the Python
	// standard library.
	serving := func() string {
		python, err := exec.LookPath("python3")
		if err != nil {
			Skip("there is no python3")
		}
		return python + " " + fileOf("server.py", `import json, sys
tools = [{"name": n, "description": "the tool " + n, "inputSchema": {"type": "object", "properties": {"what": {"type": "string"}}, "required": ["what"]}} for n in ("refund", "delivery")]
for line in sys.stdin:
    asked = json.loads(line)
    if "id" in asked:
        result = {"tools": tools} if asked["method"] == "tools/list" else {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "serverInfo": {"name": "desk", "version": "1"}}
        print(json.dumps({"jsonrpc": "2.0", "id": asked["id"], "result": result}), flush=True)
`)
	}
	const cases = `{"id":"a","text":"money back","label":"refund"}
{"id":"b","text":"where is my parcel","label":"delivery"}
{"id":"c","text":"a joke, please","label":"other"}
`

	It("are offered to the model with their parameters", func() {
		dir := newRunDir()
		got := evalctl("run", "--target", "tool-calling", "--dataset", fileOf("c.jsonl", cases), "--mcp", serving(),
			"--oos-label", "other", "--out", dir, "-q", "--gate", "route.accuracy >= 1")
		Expect(got.code).To(Equal(exit.Passed), got.stderr+got.stdout)
		Expect(evalctl("show", dir, "a").stdout).To(ContainSubstring(`refund({"what":"money back"})`))
	})

	It("require --trust if a suite file names the command of the server, unless a flag names it too", func() {
		ran := filepath.Join(newRunDir(), "ran")
		set, command := fileOf("c.jsonl", cases), "touch "+ran+",x"
		theirs := fileOf("s.yaml",
			"name: theirs\ntarget: tool-calling\ndataset: "+set+"\noos_label: other\nvariants: [{name: m, mcp: '"+
				command+"'}]\n")
		refuses("suite theirs: runs "+command+". To allow this, add --trust", "run", theirs)
		Expect(ran + ",x").NotTo(BeAnExistingFile())
		Expect(os.Mkdir(filepath.Dir(ran), 0o755)).To(Succeed())
		Expect(evalctl("run", theirs, "--trust", "--out", newRunDir()).stderr).
			To(ContainSubstring("mcp: "+command+": "), "touch is not a server")
		Expect(ran+",x").To(BeAnExistingFile(), "a comma is part of the command")
		Expect(evalctl("run", "--target", "tool-calling", "--dataset", set, "--mcp", command, "--out", newRunDir()).
			stderr).To(ContainSubstring("mcp: " + command + ": "))
		elsewhere := fileOf("s.yaml",
			"name: theirs\ntarget: tool-calling\ndataset: "+set+"\nvariants: [{name: m, mcp: 'http://127.0.0.1:1'}]\n")
		Expect(evalctl("run", elsewhere, "--out", newRunDir()).stderr).NotTo(ContainSubstring("runs http"))
	})

	It("are the only valid labels, except for the out-of-scope label", func() {
		got := evalctl("run", "--target", "tool-calling", "--dataset", fileOf("c.jsonl", cases), "--mcp", serving(),
			"--out", newRunDir())
		Expect(got.code).To(Equal(exit.InvalidUsage))
		Expect(got.stderr).To(HaveSuffix(
			`mcp: label "other" is not a tool of the server: name the label for no tool with --oos-label or --no-tool-label` + "\n"))
	})
})
