package main

import (
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/cmd/evalctl/exit"
	"evalctl/docs"
)

// loggedCommand matches the commands of the guide that stubPrograms log.
var loggedCommand = regexp.MustCompile(`(?:evalctl|npm) [^|)\n]*`)

// stubPrograms are programs for the shell script of make nlpjs. They append their arguments to
// $LOG. go installs the stub of evalctl. A server runs until it is killed.
var stubPrograms = map[string]string{
	"go":  `cp "${0%/*}/evalctl" "$3"`,
	"npm": `echo "npm $*" >>"$LOG"`,
	"evalctl": `echo "evalctl $*" >>"$LOG"
touch clinc-all.jsonl
case "$*" in
*$FAIL*) exit 1 ;;
esac`,
	"node": `case "$1" in
-p) cat >/dev/null; echo 0.8 ;;
server.js) echo $$ >"$LOG.pid"; echo listening; exec sleep 60 ;;
esac`,
}

// stubNLP replaces the npm package node-nlp: it knows the texts that it was trained on.
const stubNLP = `const fs = require("fs");
exports.NlpManager = class {
  labels = {};
  addDocument(language, text, label) { this.labels[text] = label; }
  async train() {}
  save(file) { fs.writeFileSync(file, JSON.stringify(this.labels)); }
  import(text) { this.labels = JSON.parse(text); }
  async process(language, text) {
    const intent = this.labels[text];
    return { classifications: [intent ? { intent, score: 0.7 } : { intent: "refund", score: 0 }] };
  }
};
`

var _ = Describe("The guide to a classifier over HTTP", func() {
	// makeNLPJS runs make nlpjs with stub programs. It returns the calls of evalctl and the exit error.
	makeNLPJS := func(data, fail string) ([]string, error) {
		GinkgoHelper()
		programs, log := GinkgoT().TempDir(), filepath.Join(GinkgoT().TempDir(), "log")
		for name, script := range stubPrograms {
			Expect(os.Chmod(write(filepath.Join(programs, name), "#!/bin/sh\n"+script+"\n"), 0o755)).To(Succeed())
		}
		cmd := exec.Command(interpreter("make"), "-s", "-C", "../..", "nlpjs", "DATA="+data)
		cmd.Env = append(os.Environ(), "LOG="+log, "FAIL="+fail,
			"PATH="+programs+string(os.PathListSeparator)+os.Getenv("PATH"))
		output, err := cmd.CombinedOutput()
		pid, readErr := os.ReadFile(log + ".pid")
		Expect(readErr).NotTo(HaveOccurred(), string(output))
		Eventually(exec.Command("kill", "-0", strings.TrimSpace(string(pid))).Run).ShouldNot(Succeed(),
			"the server must be stopped")
		calls, readErr := os.ReadFile(log)
		Expect(readErr).NotTo(HaveOccurred())
		return strings.Split(strings.TrimSpace(string(calls)), "\n"), err
	}

	It("30.8: has the commands that make nlpjs runs, and the server is stopped, also after a failure", func() {
		data := GinkgoT().TempDir()
		Expect(os.Mkdir(filepath.Join(data, "clinc150"), 0o755)).To(Succeed())
		for _, half := range []string{"train", "test"} {
			write(filepath.Join(data, "clinc150", half+".jsonl"), "")
		}
		page, _ := docs.Find("classifier")
		var want []string
		for _, command := range loggedCommand.FindAllString(strings.Join(textsOf(blocksOf(page.Text), "sh"), ""), -1) {
			want = append(want, strings.TrimSpace(
				strings.NewReplacer("$DATA", data, "$threshold", "0.8", `"`, "").Replace(command)))
		}
		Expect(len(want)).To(BeNumerically(">", 8))
		Expect(makeNLPJS(data, "no call")).To(Equal(want))

		calls, err := makeNLPJS(data, "tune")
		Expect(err).To(HaveOccurred())
		Expect(calls).To(Equal(want[:4]), "import, install, run, tune")
	})

	It("30.8: has a server that answers over HTTP with the labels of NLP.js, up to its limits", func() {
		node := interpreter("node")
		dir := GinkgoT().TempDir()
		for _, name := range []string{"package.json", "train.js", "server.js"} {
			write(filepath.Join(dir, name), read("../../examples/nlpjs", name))
		}
		GinkgoT().Chdir(dir)
		Expect(os.MkdirAll("node_modules/node-nlp", 0o755)).To(Succeed())
		write("node_modules/node-nlp/index.js", stubNLP)
		write("cases.jsonl", `{"id":"1","text":"where is my money?","label":"refund","split":"train"}
{"id":"2","text":"sing to me","label":"oos","split":"train"}
{"id":"3","text":"where is my money?","label":"refund","split":"test"}
{"id":"4","text":"sing to me","label":"oos","split":"test"}
{"id":"5","text":"what?","label":"oos","split":"test"}
`)
		output, err := exec.Command(node, "train.js", "cases.jsonl", "model.json").CombinedOutput()
		Expect(err).NotTo(HaveOccurred(), string(output))
		Expect(string(output)).To(Equal("trained on 2 texts: model.json\n"))
		url := strings.TrimPrefix(serverAddress(node, "server.js", "model.json", "0"), "listening on ") + "/answer"

		accuracy := func(url string) string {
			p := evalctl("run", "--target", "http", "--url", url, "--dataset", "cases.jsonl", "--split", "test",
				"--oos-label", "oos", "--alias", "None=oos", "-q")
			Expect(p.code).To(Equal(exit.Passed), p.stderr)
			return p.stdout
		}
		Expect(accuracy(url)).To(MatchRegexp(`http +3 of 3 `))
		Expect(accuracy(url + "?threshold=0.8")).To(MatchRegexp(`http +2 of 3 `))

		for body, want := range map[string]string{
			"null":                      "the request is not a JSON object",
			`{"text":1}`:                `the request has no string \"text\"`,
			strings.Repeat("x", 70_000): "the request has more than 65536 bytes",
		} {
			response, err := http.Post(url, "application/json", strings.NewReader(body))
			Expect(err).NotTo(HaveOccurred())
			Expect(response.StatusCode).To(And(BeNumerically(">=", 400), BeNumerically("<", 500)))
			Expect(io.ReadAll(response.Body)).To(BeEquivalentTo(`{"error":"` + want + `"}`))
			Expect(response.Body.Close()).To(Succeed())
		}
	})
})
