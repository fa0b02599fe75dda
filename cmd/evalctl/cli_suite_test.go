package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"

	. "github.com/onsi/ginkgo/v2"
	"github.com/onsi/ginkgo/v2/types"
	. "github.com/onsi/gomega"

	"evalctl/cmd/evalctl/play"
	"evalctl/eval"
	"evalctl/eval/journal"
)

// asCLI is the environment variable that makes the test binary run as evalctl. Tests use it for
// processes that they kill.
const asCLI = "EVALCTL_TEST_AS_CLI"

func TestMain(m *testing.M) {
	if os.Getenv(asCLI) != "" {
		main()
	}
	debug.SetGCPercent(play.GCPercent) // as during a run, also between runs
	os.Exit(m.Run())
}

func TestCLI(t *testing.T) {
	RegisterFailHandler(Fail)
	SetDefaultEventuallyTimeout(20 * time.Second) // long enough for a slow machine
	home = t.TempDir()
	// With less, a run would collect garbage continuously, because the specs also use memory. The
	// limit is for the whole suite.
	t.Setenv("GOMEMLIMIT", "1GiB")
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(1 << 30))
	specs, reports := GinkgoConfiguration()
	if !slices.ContainsFunc(os.Args, func(a string) bool { return strings.HasPrefix(a, "-ginkgo.") }) {
		defer joinHalf(t, &specs)()
	}
	RunSpecs(t, "evalctl", specs, reports)
}

// joinHalf runs the specs in half of the files in a second process at the same time. Most specs
// wait or use a single core.
func joinHalf(t *testing.T, specs *types.SuiteConfig) (join func()) {
	const half = `/(codeblocks|[n-z][^/]*)_test\.go` // codeblocks shares a run with the README
	other := exec.Command(os.Args[0],
		append(slices.Clone(os.Args[1:]), "-test.run=^TestCLI$", "-ginkgo.no-color", "-ginkgo.focus-file="+half)...)
	var output bytes.Buffer
	other.Stdout, other.Stderr = &output, &output
	if err := other.Start(); err != nil {
		t.Fatal(err)
	}
	specs.SkipFiles = append(specs.SkipFiles, half)
	return func() {
		if err := other.Wait(); err != nil {
			t.Errorf("the specs of files named n to z: %v\n%s", err, output.String())
		}
	}
}

var _ = BeforeEach(func() {
	if slices.Contains(CurrentSpecReport().Labels(), "long") && os.Getenv("EVALCTL_LONG") == "" {
		Skip("make long runs it")
	}
	GinkgoT().Setenv("GITHUB_STEP_SUMMARY", "") // as on a laptop, also in CI
	GinkgoT().Setenv("LC_ALL", "C.UTF-8")
})

type cliResult struct {
	code           int
	stdout, stderr string
}

func evalctl(args ...string) cliResult {
	return runInContext(context.Background(), args...)
}

func runInContext(ctx context.Context, args ...string) cliResult {
	return runWithInput(ctx, "", args...)
}

// runWithInput runs evalctl in this process with text as its standard input.
func runWithInput(ctx context.Context, stdin string, args ...string) cliResult {
	var stdout, stderr bytes.Buffer
	code := run(ctx, args, strings.NewReader(stdin), &stdout, &stderr)
	return cliResult{code, stdout.String(), stderr.String()}
}

func newRunDir() string { return filepath.Join(GinkgoT().TempDir(), "run") }

func write(path, text string) string {
	GinkgoHelper()
	Expect(os.WriteFile(path, []byte(text), 0o644)).To(Succeed())
	return path
}

// fileOf writes a file in a new directory and returns its path.
func fileOf(name, text string) string { return write(filepath.Join(GinkgoT().TempDir(), name), text) }

func read(elems ...string) string {
	GinkgoHelper()
	b, err := os.ReadFile(filepath.Join(elems...))
	Expect(err).NotTo(HaveOccurred())
	return string(b)
}

// withoutChecksums returns the lines of results without the final checksum. They are then accepted
// as results without a run, even if edited.
func withoutChecksums(lines string) string {
	return regexp.MustCompile(`,"run":"[0-9a-f]{8}","crc":"[0-9a-f]{8}"}\n`).ReplaceAllString(lines, "}\n")
}

// withChecksums returns edited lines with correct checksums.
func withChecksums(lines string) string {
	return regexp.MustCompile(`(?m)^(.*),"crc":"[0-9a-f]{8}"}$`).ReplaceAllStringFunc(lines, func(line string) string {
		at := strings.LastIndex(line, `,"crc":"`)
		return fmt.Sprintf(`%s,"crc":"%08x"}`, line[:at],
			crc32.Checksum([]byte(line[:at]), crc32.MakeTable(crc32.Castagnoli)))
	})
}

func summaryOf(dir string) (s eval.Summary) {
	GinkgoHelper()
	Expect(json.Unmarshal([]byte(read(dir, journal.SummaryFile)), &s)).To(Succeed())
	return s
}

func manifestIn(dir string) journal.Manifest {
	GinkgoHelper()
	m, err := journal.ReadManifest(dir)
	Expect(err).NotTo(HaveOccurred())
	return m
}

func conditionsOf(dir string) (names []string) {
	GinkgoHelper()
	for _, s := range summaryOf(dir).Suites {
		for _, c := range s.Conditions {
			names = append(names, c.Variant+"/"+c.Fault)
		}
	}
	return names
}

// threeCases is a dataset of three cases in the short form.
const threeCases = `{"id":"a","text":"画一只猫","label":"image_gen"}
{"id":"b","text":"现在几点","label":"time_query"}
{"id":"c","text":"hello there","label":"chat","lang":"en"}
`
