package main

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/cmd/evalctl/exit"
	"evalctl/eval/fleet/broker"
)

const literalKey = "argvSecret44Op9"

var leaksLiteral = Or(ContainSubstring(literalKey), ContainSubstring(strings.ToUpper(literalKey)), ContainSubstring(literalKey[:12]), ContainSubstring("6172677653"))

// onlyMine checks that no file of a run can be read by others.
func onlyMine(dir string) {
	GinkgoHelper()
	files, err := os.ReadDir(dir)
	Expect(err).NotTo(HaveOccurred())
	for _, f := range files {
		info, err := f.Info()
		Expect(err).NotTo(HaveOccurred())
		Expect(info.Mode().Perm()).To(Equal(os.FileMode(0o600)), f.Name())
	}
}

var _ = Describe("15.8: a secret among the arguments of a command, or in a request", Label("concurrent"), func() {
	const agent = `while read line; do id=${line#*\"id\":\"}; echo "key $1 $2" >&2; echo "{\"id\":\"${id%%\"*}\",\"label\":\"a\",\"text\":\"key $1 $2 %x$(echo $2 | tr a-z A-Z) ${2%???}\"}"; done`
	cases := func() string {
		return fileOf("cases.jsonl", `{"id":"one","text":"hi","label":"a"}`+"\n"+`{"id":"two","text":"ho","label":"b"}`+"\n")
	}

	It("is in no file and on no screen, and is given again to resume", func() {
		dir, page := folder(), filepath.Join(GinkgoT().TempDir(), "page.html")
		behind := []string{"--", "sh", "-c", agent, "agent", "--api-key", literalKey}
		got := evalctl(append([]string{"run", "--target", "exec", "--dataset", cases(), "--out", dir, "-v", "--html", page, "--format", "table"}, behind...)...)
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		shown := evalctl("show", dir, "one")
		Expect(shown.stdout).To(ContainSubstring("[secret]"))
		Expect(leftBy(dir) + read(page) + got.stdout + got.stderr + shown.stdout).NotTo(leaksLiteral)
		Expect(read(dir, "manifest.json")).To(ContainSubstring(`\"--api-key\",\"[secret]\"`))
		onlyMine(dir)

		got = evalctl("run", "--resume", dir, "--trust")
		Expect(got.code).To(Equal(exit.Usage))
		Expect(got.stderr).To(And(ContainSubstring("the manifest contains no secrets: give "), ContainSubstring("write $VARIABLE"), Not(leaksLiteral)))
		got = evalctl(append([]string{"run", "--resume", dir}, behind...)...)
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		Expect(leftBy(dir) + got.stdout + got.stderr).NotTo(leaksLiteral)
	})

	It("comes from a variable of the environment, which the run stores by its name", func() {
		GinkgoT().Setenv("LITERALS_TEST", literalKey)
		dir := folder()
		got := evalctl("run", "--target", "exec", "--dataset", cases(), "--out", dir, "-v", "--", "sh", "-c", strings.ReplaceAll(strings.ReplaceAll(agent, "$$", "$$$$"), "$", "$$"), "agent", "--api-key", "$LITERALS_TEST")
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		Expect(got.stdout + read(dir, "manifest.json")).To(ContainSubstring("$LITERALS_TEST"))
		Expect(read(dir, "traces.jsonl")).To(ContainSubstring("key --api-key [secret]"))
		Expect(leftBy(dir) + got.stdout + got.stderr).NotTo(leaksLiteral)

		GinkgoT().Setenv("LITERALS_TEST", "")
		got = evalctl("run", "--target", "exec", "--dataset", cases(), "--out", folder(), "--", "cat", "${LITERALS_TEST}")
		Expect(got.code).To(Equal(exit.Usage))
		Expect(got.stderr).To(ContainSubstring("command: the environment has no LITERALS_TEST"))
	})

	It("is sent within a request, and masked or expanded there", func() {
		GinkgoT().Setenv("LITERALS_TEST", literalKey+`"2`)
		var sent []string // one at a time
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			body, _ := io.ReadAll(r.Body)
			sent = append(sent, string(body))
			w.Header().Set("Content-Type", "application/json")
			_, _ = io.WriteString(w, `{"label":"a","text":`+quotedJSON(string(body))+`}`)
		}))
		DeferCleanup(s.Close)
		for request, want := range map[string]string{
			`{"t":{{text}},"auth":{"$ref":"x","client_secret":"` + literalKey + `"}}`:  `"client_secret":"` + literalKey + `"`,
			`{"t":{{text}},"api_key":"$LITERALS_TEST","n":${LITERALS_TEST},"c":"$$5"}`: `"api_key":"` + literalKey + `\"2","n":"` + literalKey + `\"2","c":"$5"`,
		} {
			dir := folder()
			sent = nil
			got := evalctl("run", "--target", "http", "--url", s.URL, "--request", request, "--dataset", cases(), "--out", dir, "-v", "-j", "1")
			Expect(got.code).To(Equal(exit.Passed), got.stderr)
			Expect(sent).To(HaveEach(ContainSubstring(want)))
			Expect(leftBy(dir) + got.stdout + got.stderr).NotTo(leaksLiteral)
			Expect(leftBy(dir)).To(ContainSubstring("[secret]"))

			url := serving("http", "--url", s.URL, "--request", request, "--labels", "a,b")
			_, text := post(url, "http", `{"text":"hi"}`)
			Expect(joined(text)).To(And(ContainSubstring("[secret]"), Not(leaksLiteral)))
		}
	})

	It("is in no complaint, and sent to no broker", func() {
		b, err := broker.Start(broker.Config{Dir: GinkgoT().TempDir(), Addr: "127.0.0.1:0"})
		Expect(err).NotTo(HaveOccurred())
		DeferCleanup(b.Close)
		for _, args := range [][]string{
			{"run", "--target", "exec", "--dataset", cases(), "--command", "cat --api-key " + literalKey + " 'open"},
			{"run", fileOf("s.yaml", "target: exec\ndataset: "+cases()+"\nvariants: [{name: a, command: cat --api-key "+literalKey+"}]\n")},
			{"run", "--target", "openai", "--dataset", cases(), "--model", "m", "--base-url", "http://127.0.0.1:1/v1", "--mcp", "false --token " + literalKey},
			{"run", "--target", "http", "--url", "http://127.0.0.1:1/x", "--request", `{"api_key":"` + literalKey + `",{{text}}}`, "--dataset", cases()},
			{"run", "--target", "http", "--url", "http://127.0.0.1:1/x", "--request", `{"api_key":"` + literalKey + `"}`, "--dataset", cases(), "--workers", b.URL()},
		} {
			got := evalctl(append(args, "--out", folder())...)
			Expect(got.code).NotTo(Equal(exit.Passed))
			Expect(got.stdout + got.stderr).NotTo(leaksLiteral)
			if slices.Contains(args, "--workers") {
				Expect(got.stderr).To(ContainSubstring("request contains a secret, which would be sent to the broker: write $VARIABLE in its place"))
			}
		}
	})
})
