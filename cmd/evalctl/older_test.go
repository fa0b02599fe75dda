package main

import (
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/cmd/evalctl/exit"
	"evalctl/eval/journal"
)

// removeRunIDs removes the run id from all lines of a run, so that it resembles a run of an older
// evalctl.
func removeRunIDs(dir string) {
	GinkgoHelper()
	for _, name := range []string{journal.ResultsFile, journal.TracesFile} {
		var lines strings.Builder
		text := regexp.MustCompile(`(?m),"run":"[0-9a-f]{8}","crc":"[0-9a-f]{8}"}$`).
			ReplaceAllString(read(dir, name), "")
		for line := range strings.Lines(text) {
			line = strings.TrimSuffix(line, "\n")
			fmt.Fprintf(&lines, "%s,\"crc\":\"%08x\"}\n", line,
				crc32.Checksum([]byte(line), crc32.MakeTable(crc32.Castagnoli)))
		}
		Expect(os.WriteFile(filepath.Join(dir, name), []byte(lines.String()), 0o600)).To(Succeed())
	}
}

var _ = Describe("A run of an older evalctl", func() {
	const refused = "it was written by an older evalctl: it can be read, but not resumed or merged"
	ran := func(args ...string) string {
		GinkgoHelper()
		dir := newRunDir()
		got := evalctl(append([]string{"run", "toolrouter", "--limit", "12", "-q", "--out", dir}, args...)...)
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		return dir
	}

	It("can be reported, gated and compared, but not resumed", func() {
		dir := ran()
		want := evalctl("report", dir)
		removeRunIDs(dir)
		Expect(evalctl("report", dir).stdout).To(Equal(want.stdout))
		for _, args := range [][]string{{"gate", dir, "missing.rate <= 0%"}, {"compare", dir, ran()},
			{"run", "toolrouter", "--limit", "12", "-q", "--out", newRunDir(), "--baseline", dir, "--gate",
				"new_failures <= 0"}} {
			got := evalctl(args...)
			Expect(got.code).To(Equal(exit.Passed), "%v: %s", args, got.stderr)
		}
		got := evalctl("run", "--resume", dir)
		Expect(got.code).NotTo(Equal(exit.Passed))
		Expect(got.stderr).To(ContainSubstring(refused))
	})

	It("cannot be merged with other shards", func() {
		one, two := ran("--shard", "1/2"), ran("--shard", "2/2")
		removeRunIDs(one)
		got := evalctl("merge", one, two, "--out", newRunDir())
		Expect(got.code).NotTo(Equal(exit.Passed))
		Expect(got.stderr).To(ContainSubstring(refused))
	})
})
