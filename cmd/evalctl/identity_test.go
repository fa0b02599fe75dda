package main

import (
	"context"
	"encoding/json"
	"os"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/secret"
	"evalctl/cmd/evalctl/build"
	"evalctl/cmd/evalctl/exit"
	"evalctl/eval/fleet"
)

var _ = It("15.7: resume, merge and workers refuse a run of another build without a version stamp, and name both builds", func() {
	self, err := os.Executable()
	Expect(err).NotTo(HaveOccurred())
	binary, err := os.ReadFile(self)
	Expect(err).NotTo(HaveOccurred())
	other := fileOf("evalctl", "")
	Expect(os.WriteFile(other, append(binary, 0), 0o755)).To(Succeed())
	Expect(os.Chmod(other, 0o755)).To(Succeed())
	asOther := func(args ...string) cliResult {
		p := &process{Cmd: command(other, args...)}
		p.Stdout, p.Stderr = &p.stdout, &p.stderr
		Expect(p.Start()).To(Succeed())
		code := p.code()
		return cliResult{code, p.stdout.String(), p.stderr.String()}
	}
	here, err := build.Identity()
	Expect(err).NotTo(HaveOccurred())
	there := strings.TrimPrefix(strings.TrimSpace(asOther("version").stdout), "evalctl ")
	Expect(there).NotTo(Equal(here))
	line := []string{"run", "--router", "rules", "--limit", "4", "-q", "--out"}
	mine, first, second := newRunDir(), newRunDir(), newRunDir()
	Expect(evalctl(append(line, mine)...).code).To(Equal(exit.Passed))
	Expect(manifestIn(mine).Version).To(Equal(here))
	Expect(evalctl(append(line, first, "--shard", "1/2")...).code).To(Equal(exit.Passed))
	Expect(asOther(append(line, second, "--shard", "2/2")...).code).To(Equal(exit.Passed))

	resumed := asOther("run", "--resume", mine)
	Expect(resumed.stderr).To(Equal("evalctl: --resume: the run began with evalctl " + here +
		", this is " + there + "\n"))
	Expect(resumed.code).To(Equal(exit.InvalidUsage))

	got := evalctl("merge", first, second, "--out", newRunDir())
	Expect(got.stderr).To(ContainSubstring("are of different runs: evalctl " + here + " and " + there))
	Expect(got.code).To(Equal(exit.InvalidUsage))
	got = evalctl("merge", second, "--partial", "--out", newRunDir())
	Expect(got.stderr).To(Equal("evalctl: merge: the shards were run by evalctl " + there + ", this is " + here + "\n"))
	Expect(got.code).To(Equal(exit.InvalidUsage))

	order, err := json.Marshal(manifestIn(second))
	Expect(err).NotTo(HaveOccurred())
	f := workerFlags{secrets: &secret.Set{}}
	f.limits.given = func(string) bool { return false }
	_, err = f.plan(context.Background(), fleet.RunSpec{Manifest: order}, nil, func(string) {})
	Expect(err).To(MatchError("the run began with evalctl " + there + ", this is " + here))
})
