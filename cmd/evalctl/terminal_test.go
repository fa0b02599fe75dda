package main

import (
	"os"
	"os/exec"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

var _ = DescribeTable("the output of evalctl in a terminal", func(env string, escapes, bar bool) {
	if _, err := exec.LookPath("script"); err != nil {
		Skip("no script(1) here, which makes a terminal")
	}
	self, err := os.Executable()
	Expect(err).NotTo(HaveOccurred())
	cmd := exec.Command("script", "-qec", self+" run toolrouter --limit 3 --router rules --out "+newRunDir(),
		"/dev/null")
	cmd.Env = append(os.Environ(), asCLI+"=1", "NO_COLOR=", "TERM=xterm", env)
	shown, err := cmd.CombinedOutput()
	Expect(err).NotTo(HaveOccurred(), string(shown))
	Expect(string(shown)).To(ContainSubstring("first 3 of 827 cases"))
	Expect(strings.Contains(string(shown), "·")).To(Equal(env != "LC_ALL=C"), "%q", shown)
	Expect(strings.Contains(string(shown), "\x1b")).To(Equal(escapes), "%q", shown)
	Expect(strings.Contains(string(shown), "of 3 trials")).To(Equal(bar), "%q", shown)
},
	Entry("has colors and a progress bar", "LC_ALL=C", true, true),
	Entry("has no escape sequences with NO_COLOR", "NO_COLOR=1", false, true),
	Entry("has no escape sequences and no progress bar with TERM=dumb", "TERM=dumb", false, false),
)
