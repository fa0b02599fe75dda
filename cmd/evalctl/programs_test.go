package main

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/secret"
	"evalctl/cmd/evalctl/exit"
	"evalctl/eval/fleet"
	"evalctl/eval/journal"
)

var _ = Describe("15.4: files that a command names", func() {
	answering := func(label string) string {
		return `while IFS= read -r line; do id=${line#*'"id":"'}; echo '{"id":"'${id%%'"'*}'","label":"` +
			label + `"}'; done` + "\n"
	}
	var script, cases string
	BeforeEach(func() {
		script = fileOf("agent.sh", answering("x"))
		cases = fileOf("cases.jsonl", `{"id":"a","text":"1","label":"x"}`+"\n"+`{"id":"b","text":"2","label":"y"}`+"\n")
	})
	ran := func(more ...string) string {
		dir := newRunDir()
		got := evalctl(append(append([]string{"run", "--target", "exec", "--dataset", cases, "-q", "--out", dir},
			more...), "--", "sh", script)...)
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		return dir
	}
	hash := func() string { return fmt.Sprintf("%x", sha256.Sum256([]byte(read(script)))) }

	It("are in the manifest but not in trial keys, and a run resumes with changed files only if --allow-changed is given", func() {
		dir := ran()
		began, before := manifestIn(dir), hash()
		Expect(began.Programs).To(HaveLen(2), "the script and sh")
		Expect(began.Programs).To(
			ContainElement(journal.Program{Path: script, Bytes: int64(len(read(script))), Hash: before}))
		first, _, _ := strings.Cut(read(dir, journal.ResultsFile), "\n")
		write(filepath.Join(dir, journal.ResultsFile), first+"\n")

		write(script, answering("y"))
		got := evalctl("run", "--resume", dir, "--trust")
		both := fmt.Sprintf("%s (sha256 %.12s and %.12s)", script, before, hash())
		Expect(got.stderr).To(HavePrefix("evalctl: --resume: " + both + ": not the program that the run began with"))
		Expect(got.code).To(Equal(exit.InvalidUsage))
		Expect(read(dir, journal.ResultsFile)).To(Equal(first + "\n"))

		got = evalctl("run", "--resume", dir, "--trust", "--allow-changed")
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		m := manifestIn(dir)
		Expect(m.ChangedPrograms).To(Equal([]journal.ChangedProgram{{Path: script, Before: before, Now: hash()}}))
		Expect([]any{m.ManifestHash, m.SettingsHashes}).To(Equal([]any{began.ManifestHash, began.SettingsHashes}))
		const note = "Programs changed between parts of the run: "
		Expect(got.stdout).To(ContainSubstring(note))
		Expect(evalctl("report", dir).stdout).To(ContainSubstring(note))
		Expect(evalctl("gate", dir, "route.accuracy > 0").stderr).To(ContainSubstring("evalctl: " + note + both))
		Expect(evalctl("compare", dir, dir).stdout).To(ContainSubstring(note))
		Expect(evalctl("run", "--resume", dir, "--trust", "-q").code).
			To(Equal(exit.Passed), "they are those of the run now")
		Expect(manifestIn(dir).ChangedPrograms).To(HaveLen(1))

		Expect(os.Remove(script)).To(Succeed())
		Expect(evalctl("run", "--resume", dir, "--trust").stderr).
			To(ContainSubstring("and not found): not the program"))
		refuses("--allow-changed: goes with --resume or --broker", "run", "--allow-changed")
	})

	DescribeTable("are found relative to the working directory of the command", func(command ...string) {
		work, dir := filepath.Dir(script), newRunDir()
		write(filepath.Join(work, "c.json"), "{}")
		got := evalctl(append([]string{"run", "--target", "exec", "--dataset", cases, "-q", "--workdir", work, "--out",
			dir, "--"}, command...)...)
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		var paths []string
		for _, p := range manifestIn(dir).Programs {
			Expect(p.Dir).To(Equal(work))
			paths = append(paths, p.Path)
		}
		Expect(paths).To(Equal([]string{"agent.sh", "c.json", "sh"}))
	},
		Entry("as separate words", "sh", "agent.sh", "c.json"),
		Entry("as the value of a flag", "sh", "agent.sh", "--config=c.json"),
		Entry("within a command line for a shell, such as sh -c", "sh", "-c", "exec sh agent.sh --config c.json"),
	)

	It("must be the same in all shards of a run, unless a difference is allowed", func() {
		one := ran("--shard", "1/2")
		write(script, answering("y"))
		two, out := ran("--shard", "2/2"), newRunDir()
		got := evalctl("merge", one, two, "--out", out)
		Expect(got.stderr).To(ContainSubstring("ran different programs: " + script + " (sha256 "))
		Expect(got.code).To(Equal(exit.InvalidUsage))
		Expect(out).NotTo(BeADirectory())
		got = evalctl("merge", one, two, "--out", out, "--allow-changed")
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		Expect(got.stdout).To(ContainSubstring("Programs changed between parts of the run: " + script))
		Expect(manifestIn(out).ChangedPrograms).To(HaveLen(1))
	})

	It("must be the same on the coordinator and on a worker that runs the command", func() {
		m := manifestIn(ran())
		join := func() (said string, err error) {
			order, err := json.Marshal(m)
			Expect(err).NotTo(HaveOccurred())
			f := workerFlags{trust: true, secrets: &secret.Set{}}
			f.Quiet, f.limits.given = true, func(string) bool { return false }
			job, err := f.plan(context.Background(), fleet.RunSpec{Manifest: order}, map[string]string{cases: cases},
				func(text string) { said += text })
			if err == nil {
				Expect(job.Close()).To(Succeed())
			}
			return said, err
		}
		_, err := join()
		Expect(err).NotTo(HaveOccurred())
		write(script, answering("y"))
		_, err = join()
		Expect(err).To(MatchError(ContainSubstring("programs differ here from those of the coordinator: " + script)))
		m.WorkersMayDiffer = true
		said, err := join()
		Expect(err).NotTo(HaveOccurred())
		Expect(said).To(ContainSubstring("programs differ here"))
	})
})

var _ = It("15.4: gate, report and compare state that the settings of a run are unknown if its results have no manifest", func() {
	dir := newRunDir()
	Expect(evalctl("run", "--router", "rules", "--limit", "4", "-q", "--out", dir).code).To(Equal(exit.Passed))
	bare := filepath.Join(dir, journal.ResultsFile)
	const note = "the plan is unknown, and missing trials cannot be seen"
	got := evalctl("gate", bare, "route.accuracy > 0")
	Expect(got.code).To(Equal(exit.Passed), got.stderr)
	Expect(got.stderr).To(ContainSubstring("evalctl: " + bare + " has no manifest: " + note))
	Expect(evalctl("gate", dir, "route.accuracy > 0").stderr).To(BeEmpty())
	Expect(evalctl("report", bare).stdout).To(ContainSubstring("the plan is unknown"))
	Expect(evalctl("compare", bare, bare).stdout).To(ContainSubstring("The plan is unknown"))
})
