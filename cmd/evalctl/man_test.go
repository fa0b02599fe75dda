package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/cmd/evalctl/exit"
)

var _ = Describe("evalctl man", func() {
	It("writes the same page for every command each time, without a date", func() {
		one, two := filepath.Join(GinkgoT().TempDir(), "deep", "man1"), GinkgoT().TempDir()
		for _, dir := range []string{one, two} {
			got := evalctl("man", dir)
			Expect(got.code).To(Equal(exit.Passed), got.stderr)
			Expect(got.stdout).To(MatchRegexp(`^\d\d pages in .*: man -l .*evalctl\.1\n$`))
		}
		for _, name := range []string{"evalctl", "evalctl-run", "evalctl-dataset-import", "evalctl-mock-serve",
			"evalctl-completion-zsh", "evalctl-doctor"} {
			text := read(one, name+".1")
			Expect(text).To(Equal(read(two, name+".1")))
			Expect(text).To(MatchRegexp(`\.TH "[A-Z-]+" "1" "" "evalctl" "evalctl"`))
			Expect(text).NotTo(ContainSubstring(time.Now().Format("2006")))
		}
	})

	It("writes pages that man renders without warnings", Label("long"), func() {
		program, err := exec.LookPath("man")
		if err != nil {
			Skip("there is no man here")
		}
		dir := GinkgoT().TempDir()
		Expect(evalctl("man", dir).code).To(Equal(exit.Passed))
		pages, err := os.ReadDir(dir)
		Expect(err).NotTo(HaveOccurred())
		for _, page := range pages {
			cmd := exec.Command(program, "--warnings=all", "-E", "UTF-8", "-l", filepath.Join(dir, page.Name()))
			cmd.Env = append(os.Environ(), "MANWIDTH=120", "LC_ALL=C.UTF-8", "PAGER=cat", "MANPAGER=cat")
			out, err := cmd.CombinedOutput()
			Expect(err).NotTo(HaveOccurred(), "%s\n%s", page.Name(), out)
			Expect(string(out)).NotTo(MatchRegexp(`(?m)^(troff|man|groff|<standard input>):`), page.Name())
			Expect(string(out)).To(ContainSubstring("NAME"))
		}
		run := exec.Command(program, "-E", "UTF-8", "-l", filepath.Join(dir, "evalctl-chat.1"))
		run.Env = append(os.Environ(), "MANWIDTH=120", "LC_ALL=C.UTF-8", "PAGER=cat", "MANPAGER=cat")
		out, err := run.Output()
		Expect(err).NotTo(HaveOccurred())
		Expect(regexp.MustCompile(`.\x08`).ReplaceAllString(string(out), "")).
			To(MatchRegexp(`(?m)^ +/mask FILE +area of the image to repaint`), "a list keeps its lines")
	})

	It("replaces only its own pages; if another file has the name of a page, it writes none", func() {
		dir, theirs := GinkgoT().TempDir(), fileOf("theirs", "keep")
		page := filepath.Join(dir, "evalctl-run.1")
		refused := func(why string) {
			GinkgoHelper()
			got := evalctl("man", dir)
			Expect(got).To(Equal(cliResult{exit.InvalidUsage, "", "evalctl: man: " + why + "\n"}))
			entries, err := os.ReadDir(dir)
			Expect(err).NotTo(HaveOccurred())
			Expect(entries).To(HaveLen(1))
			Expect(os.Remove(page)).To(Succeed())
		}
		write(page, "a manual of mine")
		refused(page + " is there already, and no page of evalctl")
		Expect(os.Symlink(theirs, page)).To(Succeed())
		refused("open " + page + ": is not a regular file")
		Expect(exec.Command("mkfifo", page).Run()).To(Succeed())
		refused("open " + page + ": is not a regular file")
		Expect(read(theirs)).To(Equal("keep"))
		for range 2 {
			Expect(evalctl("man", dir).code).To(Equal(exit.Passed))
		}
	})

	It("reports a directory that is not writable", func() {
		file := fileOf("taken", "")
		got := evalctl("man", file)
		Expect(got.code).To(Equal(exit.InvalidUsage))
		Expect(got.stderr).To(And(HavePrefix("evalctl: man: "), ContainSubstring("taken")))
		Expect(evalctl("man").stderr).To(Equal("evalctl: man: requires a folder to write to, got 0 arguments\n"))
	})
})
