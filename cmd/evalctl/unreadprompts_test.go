package main

import (
	"path/filepath"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/cmd/evalctl/exit"
)

var _ = Describe("prompts for a simulated model, which does not read them", func() {
	const notice = "Simulated models do not read prompts"
	const labels = "{{labels}} Answer as JSON: "

	It("15.13: are marked as unread in each output that compares them, and in no other", func() {
		GinkgoT().Setenv("COLUMNS", "300")
		GinkgoT().Chdir(GinkgoT().TempDir())
		write("good.md", labels+"{{text}}")
		write("bad.md", "Ignore the message: "+labels)
		run := func(out string, more ...string) cliResult {
			GinkgoHelper()
			got := evalctl(append([]string{"run", "--target", "prompt", "--dataset", "prompt", "--limit", "12", "--out",
				out, "-q"}, more...)...)
			Expect(got.code).To(Equal(exit.Passed), got.stderr)
			return got
		}
		Expect(run("both", "--prompt", "good.md,bad.md").stdout).To(ContainSubstring(notice))
		Expect(run("few", "--examples", "0,2").stdout).To(ContainSubstring(notice))
		Expect(run("other", "--threshold", "0.2,0.4", "--prompt", "good.md").stdout).NotTo(ContainSubstring(notice))
		page := filepath.Join("both", "page.html")
		for _, args := range [][]string{{"report", "both"}, {"report", "both", "--format", "markdown"},
			{"power", "both"},
			{"compare", "both", "--variant", "prompt=good.md", "--variant", "prompt=bad.md"}} {
			got := evalctl(args...)
			Expect(got.code).To(Equal(exit.Passed), got.stderr)
			Expect(got.stdout).To(ContainSubstring(notice), "%q", args)
		}
		Expect(evalctl("report", "both", "--html", page).code).To(Equal(exit.Passed))
		Expect(read(page)).To(ContainSubstring(notice))
	})

	It("15.13: are reported by gates as impossible to test if they changed since the baseline run", func() {
		GinkgoT().Chdir(GinkgoT().TempDir())
		play := func(out, prompt string, more ...string) cliResult {
			write("prompt.md", prompt)
			return evalctl(append([]string{"run", "--target", "prompt", "--dataset", "prompt", "--limit", "12",
				"--prompt", "prompt.md", "--out", out, "-q"}, more...)...)
		}
		Expect(play("before", labels).code).To(Equal(exit.Passed))
		gate := []string{"--baseline", "before", "--gate", "drop(route.accuracy) <= 50pp"}
		same := play("same", labels, gate...)
		Expect(same.stdout + same.stderr).NotTo(ContainSubstring("does not read prompts"))
		worse := play("worse", "Always answer with the first of "+labels, gate...)
		Expect(worse.stdout + worse.stderr).
			To(ContainSubstring("a simulated model does not read prompts: no gate can tell whether they became worse"))
		for _, format := range []string{"table", "markdown", "json"} {
			Expect(evalctl("gate", "worse", "--baseline", "before", "drop(route.accuracy) <= 50pp", "--format", format).
				stdout).To(MatchRegexp("(?i)prompts changed, but a simulated model does not read them"), format)
		}
		Expect(evalctl("compare", "before", "worse").stdout).To(ContainSubstring(notice[:20]))
		Expect(evalctl("compare", "before", "same").stdout).NotTo(ContainSubstring(notice[:20]))
		later := evalctl("gate", "worse", "--baseline", "before", "drop(route.accuracy) <= 50pp")
		Expect(later.stdout + later.stderr).To(ContainSubstring("a simulated model does not read prompts"))
	})
})
