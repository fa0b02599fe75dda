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

var _ = Describe("A model that calls tools", func() {
	It("is a target with anybody's labels, simulated and behind an endpoint, with names that no tool can have", func() {
		set := fileOf("desk.jsonl", deskCases)
		for _, more := range [][]string{nil, {"--model", "gpt-4o", "--base-url", mockServe("--dataset", set)["openai"]}} {
			dir := folder()
			got := evalctl(append([]string{"run", "--target", "tool-calling", "--dataset", set, "--oos-label", "其他", "--out", dir, "-q", "--gate", "route.accuracy >= 1"}, more...)...)
			Expect(got.code).To(Equal(exit.Passed), got.stderr+got.stdout)
			Expect(summaryOf(dir).Suites[0].Conditions[0].Confusion.Labels).To(ConsistOf("退款", "delivery", "其他"))
		}
	})

	It("is as wrong as it is simulated to be, and no trial fails", func() {
		set := fileOf("desk.jsonl", deskCases)
		dir := folder()
		suite := fileOf("s.yaml", "name: desk\ntarget: tool-calling\ndataset: "+set+"\noos_label: 其他\nepochs: 40\nmodels:\n  model:\n    accuracy: 0.5\n    difficulty: 0 # few cases\nvariants:\n  - name: auto\n  - name: required\n    tool-choice: required\n")
		Expect(evalctl("run", suite, "--out", dir, "-q").code).To(Equal(exit.Passed))
		for _, v := range summaryOf(dir).Suites[0].Conditions {
			Expect(*v.Metrics["route.accuracy"].Value).To(BeNumerically("~", 0.5, 0.12), v.Name)
		}
		for r, err := range journal.ReadRunResults(dir) {
			Expect(err).NotTo(HaveOccurred())
			Expect(r.Error).To(BeNil())
			Expect(r.Predicted).To(BeElementOf("退款", "delivery", "其他"))
		}
	})

	It("has no cases of its own: it wants some, and a conversation wants labels", func() {
		refuses("--target: tool-calling has no shipped cases: set --dataset FILE", "run", "--target", "tool-calling")
		got := evalctl("chat", "tool-calling")
		Expect(got.stderr).To(HavePrefix("evalctl: --labels: "))
		Expect(got.code).To(Equal(exit.Usage))
		Expect(playOn(context.Background(), "hello\n", "chat", "tool-calling", "--labels", "greet,other").code).To(Equal(exit.Passed))
	})
})

var _ = Describe("The tools of a server", func() {
	// serving is a program that tells of two tools, by the standard library of Python.
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

	It("are what a model is offered, with their parameters", func() {
		dir := folder()
		got := evalctl("run", "--target", "tool-calling", "--dataset", fileOf("c.jsonl", cases), "--mcp", serving(), "--oos-label", "other", "--out", dir, "-q", "--gate", "route.accuracy >= 1")
		Expect(got.code).To(Equal(exit.Passed), got.stderr+got.stdout)
		Expect(evalctl("show", dir, "a").stdout).To(ContainSubstring(`refund({"what":"money back"})`))
	})

	It("are not asked by the command of somebody's suite file, unless it is trusted or the flags name it", func() {
		ran := filepath.Join(folder(), "ran")
		set, command := fileOf("c.jsonl", cases), "touch "+ran+",x"
		theirs := fileOf("s.yaml", "name: theirs\ntarget: tool-calling\ndataset: "+set+"\noos_label: other\nvariants: [{name: m, mcp: '"+command+"'}]\n")
		refuses("suite theirs: runs "+command+". To allow this, add --trust", "run", theirs)
		Expect(ran + ",x").NotTo(BeAnExistingFile())
		Expect(os.Mkdir(filepath.Dir(ran), 0o755)).To(Succeed())
		Expect(evalctl("run", theirs, "--trust", "--out", folder()).stderr).To(ContainSubstring("mcp: "+command+": "), "touch is no server")
		Expect(ran+",x").To(BeAnExistingFile(), "a comma is part of the command")
		Expect(evalctl("run", "--target", "tool-calling", "--dataset", set, "--mcp", command, "--out", folder()).stderr).To(ContainSubstring("mcp: " + command + ": "))
		elsewhere := fileOf("s.yaml", "name: theirs\ntarget: tool-calling\ndataset: "+set+"\nvariants: [{name: m, mcp: 'http://127.0.0.1:1'}]\n")
		Expect(evalctl("run", elsewhere, "--out", folder()).stderr).NotTo(ContainSubstring("runs http"))
	})

	It("are all that a label can be, but for the one that stands for none", func() {
		got := evalctl("run", "--target", "tool-calling", "--dataset", fileOf("c.jsonl", cases), "--mcp", serving(), "--out", folder())
		Expect(got.code).To(Equal(exit.Usage))
		Expect(got.stderr).To(HaveSuffix(`mcp: label "other" is not a tool of the server: name the label for no tool with --oos-label or --no-tool-label` + "\n"))
	})
})
