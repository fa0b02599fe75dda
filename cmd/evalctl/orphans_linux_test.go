package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

var _ = DescribeTable("15.10: kill -9 of evalctl also ends the descendants of a program that evalctl started as",
	func(args ...string) {
		if _, err := exec.LookPath("setsid"); err != nil {
			Skip(err.Error())
		}
		dir := GinkgoT().TempDir()
		program := write(filepath.Join(dir, "program.sh"), `sleep 601 &
echo $! > "$1/child"
setsid sleep 602 &
echo $! > "$1/session"
echo $$ > "$1/self"
sleep 603`)
		line := "/bin/sh " + program + " " + dir
		for i := range args {
			args[i] = strings.ReplaceAll(args[i], "PROGRAM", line)
		}
		p := start(append([]string{"run", "--dataset", fileOf("cases.jsonl", threeCases), "-j", "1", "--out",
			filepath.Join(dir, "run"), "--target"}, args...)...)
		pid := func(name string) string {
			text, _ := os.ReadFile(filepath.Join(dir, name)) // the file may not exist yet
			return strings.TrimSpace(string(text))
		}
		Eventually(func() string { return pid("self") }).ShouldNot(BeEmpty(), "%s", &p.stderr)
		Expect(p.Process.Kill()).To(Succeed())
		_ = p.code()
		for _, name := range []string{"self", "child", "session"} {
			Eventually(func() string {
				stat, err := os.ReadFile(filepath.Join("/proc", pid(name), "stat"))
				if err != nil {
					return "Z"
				}
				return strings.Fields(string(stat))[2]
			}).Should(Equal("Z"), "%s has ended, though its new parent may not have waited for it yet", name)
		}
	},
	Entry("an agent", "exec", "--command", "PROGRAM"),
	Entry("a tool server", "tool-calling", "--mcp", "PROGRAM", "--oos-label", "chat"),
)
