package main

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/cmd/evalctl/exit"
	"evalctl/eval"
	"evalctl/eval/journal"
)

// ambiguousCases are cases whose labels and tags are also common values of environment variables.
const ambiguousCases = `{"id":"1","text":"I forgot it","label":"password","tags":["postgres"]}
{"id":"2","text":"where is my parcel?","label":"delivery"}
{"id":"3","text":"reset it","label":"password2_reset","tags":["postgres"]}
{"id":"4","text":"I forgot it again","label":"password"}
`

// saysPassword is the command of an agent that answers every turn with the label "password".
var saysPassword = []string{"--", "sh", "-c",
	`while read -r line; do id=${line#*\"id\":\"}; printf '{"id":"%s","label":"password"}\n' "${id%%\"*}"; done`}

// decisionMetrics returns the metrics about decisions in the summary of a run.
func decisionMetrics(dir string) (figures map[string]eval.Estimate, confusion *eval.Confusion) {
	GinkgoHelper()
	condition := summaryOf(dir).Suites[0].Conditions[0]
	figures = map[string]eval.Estimate{}
	for name, e := range condition.Metrics {
		if strings.HasPrefix(name, "route.") {
			figures[name] = e
		}
	}
	return figures, condition.Confusion
}

var _ = Describe("Words of a dataset that are also values of environment variables", func() {
	playing := func(target string, more ...string) (cliResult, string) {
		GinkgoHelper()
		dir := newRunDir()
		return evalctl(append([]string{"run", "--dataset", fileOf("cases.jsonl", ambiguousCases), "--out", dir,
			"--target", target}, more...)...), dir
	}

	It("stay unchanged in labels, tags and metrics, no matter which variables have these values", func() {
		got, plain := playing("exec", saysPassword...)
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		want, confusion := decisionMetrics(plain)
		for name, value := range map[string]string{"MYSQL_PASSWORD": "password", "X_TOKEN_KIND": "delivery",
			"PGPASSWORD": "postgres", "A_KEY": "password2", "B_KEY": "password2_reset"} {
			GinkgoT().Setenv(name, value)
		}
		got, dir := playing("exec", saysPassword...)
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		figures, labels := decisionMetrics(dir)
		Expect(figures).To(Equal(want))
		Expect(labels).To(Equal(confusion))
		Expect(got.stdout + read(dir, journal.ResultsFile) + read(dir, journal.SummaryFile)).
			NotTo(ContainSubstring("[redacted]"))
		Expect(got.stderr).To(And(
			MatchRegexp(`MYSQL_PASSWORD.*: what the environment has there is a plain word, and no secret`),
			ContainSubstring("password2_reset among its labels, tags and names: what a key or a password holds besides is public there, and no secret of this run")))
		Expect(evalctl("gate", dir, "route.f1.password >= 50%").code).To(Equal(exit.Passed))
		Expect(evalctl("report", dir, "--format", "csv").stdout).To(ContainSubstring("route.f1.password2_reset"))
	})

	It("stay unchanged as labels even if a key that is sent has the same value", func() {
		GinkgoT().Setenv(keyEnv, "password2_reset")
		got, dir := playing("http", "--url", agentAnswering(`{"label":"password2_reset"}`),
			"--header", "X-Key=$"+keyEnv)
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		_, confusion := decisionMetrics(dir)
		Expect(confusion.Labels).To(Equal([]string{"delivery", "password", "password2_reset"}))
		Expect(got.stderr).To(ContainSubstring("password2_reset among its labels"))
	})

	It("allow a run to be resumed although the environment has changed", func() {
		spoken := strings.Replace(ambiguousCases, "I forgot it again", "sign-in fails with "+echoedKey+", why?", 1)
		cases := fileOf("cases.jsonl", spoken)
		GinkgoT().Setenv("A_KEY", echoedKey)
		whole := newRunDir()
		got := evalctl(append([]string{"run", "--dataset", cases, "--out", whole, "--target", "exec"},
			saysPassword...)...)
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		results := read(whole, journal.ResultsFile)
		dir := killedCopy(whole, strings.LastIndexByte(results[:len(results)-1], '\n')+1,
			len(read(whole, journal.TracesFile)))
		GinkgoT().Setenv("A_KEY", "another-key-0123")
		got = evalctl("run", "--resume", whole, "--trust")
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		got = evalctl("run", "--resume", dir, "--trust")
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		want, _ := decisionMetrics(whole)
		figures, _ := decisionMetrics(dir)
		Expect(figures).To(Equal(want))
	})

	It("do not let a key appear in output that an agent returns as a label, an answer or a reason", func() {
		GinkgoT().Setenv(keyEnv, echoedKey)
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			key := r.Header.Get("X-Key")
			_ = json.NewEncoder(w).Encode(map[string]any{"label": key, "text": "it is " + key,
				"events": []map[string]string{{"kind": "span", "node": key, "text": key},
					{"kind": "fallback", "from": key, "to": "x", "reason": key}}})
		}))
		DeferCleanup(s.Close)
		report := filepath.Join(GinkgoT().TempDir(), "report.html")
		got, dir := playing("http", "--url", s.URL, "--header", "X-Key=$"+keyEnv, "-v", "--format", "table",
			"--format", "html="+report)
		Expect(got.code).To(Equal(exit.Incomplete), "no answer is a label: "+got.stderr)
		Expect(leftBy(dir) + leftBy(filepath.Dir(report)) + got.stdout + got.stderr).NotTo(leaksSecret)
		Expect(read(dir, journal.ResultsFile)).To(ContainSubstring("[redacted]"))
	})
})
