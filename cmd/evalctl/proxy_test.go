package main

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"strings"
	"sync"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/cmd/evalctl/exit"
)

// written is a log that a test can read while a command writes it.
type written struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (w *written) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.b.Write(p)
}

func (w *written) text() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.b.String()
}

// proxied runs evalctl proxy until the test ends, and returns its address and its log.
func proxied(args ...string) (at string, log *written) {
	GinkgoHelper()
	ctx, stop := context.WithCancel(context.Background())
	out, in := io.Pipe()
	ended := make(chan int, 1)
	log = &written{}
	go func() {
		ended <- run(ctx, append([]string{"proxy"}, args...), nil, in, log)
		_ = in.Close()
	}()
	DeferCleanup(func() {
		stop()
		Eventually(ended).WithTimeout(time.Second).Should(Receive(Equal(exit.Passed)), "Ctrl-C is the way to end it")
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	Expect(err).NotTo(HaveOccurred(), log.text())
	go func() { _, _ = io.Copy(io.Discard, out) }()
	return strings.TrimSpace(line), log
}

var _ = Describe("evalctl proxy", Label("concurrent"), func() {
	It("forwards requests to a provider, and logs the injected faults of each call without keys", func() {
		set := fileOf("desk.jsonl", deskCases)
		at, log := proxied("--upstream", mockServe("--dataset", set)["openai"], "--fault", "router:auth@2",
			"--component", "router")
		dir := newRunDir()
		GinkgoT().Setenv("DESK_KEY", "sk-never-shown")
		got := evalctl("run", "--target", "prompt", "--dataset", set, "--limit", "3", "-j", "1", "--base-url", at,
			"--api-key-env", "DESK_KEY", "--model", "gpt-4o", "--out", dir, "-q")
		Expect(got.code).To(Equal(exit.Incomplete), "one of three is lost")
		Expect(*summaryOf(dir).Suites[0].Conditions[0].Metrics["missing.rate"].Value).
			To(BeNumerically("~", 1.0/3, 0.001))
		Eventually(log.text).Should(
			MatchRegexp(`(?s)^POST /chat/completions · router #1 · 200 in [\d.]+ (?:s|ms|µs) · no fault\n` +
				`POST /chat/completions · router #2 · 401 in [\d.]+ (?:s|ms|µs) · router:auth@2\nPOST /chat/completions · router #3 · 200 in .* · no fault\n$`))
		Expect(log.text()).NotTo(ContainSubstring("never-shown"))
	})

	It("injects faults of the systems' components, which it identifies by their prompts", func() {
		bases := mockServe("--dataset", "newsroom")
		at, log := proxied("--upstream", bases["openai"], "--fault", "research:empty_content")
		got := evalctl("run", "newsroom", "--limit", "3", "--base-url", at, "--model", "any",
			"--out", newRunDir(), "-q")
		Expect(got.stderr + got.stdout).NotTo(BeEmpty())
		Expect(log.text()).To(ContainSubstring("research:empty_content"))
	})

	DescribeTable("refuses invalid arguments in one line", func(want string, args ...string) {
		got := evalctl(append([]string{"proxy"}, args...)...)
		Expect(got.stderr).To(HavePrefix("evalctl: " + want))
		Expect(got.code).To(Equal(exit.InvalidUsage))
	},
		Entry(nil, `--upstream: is required: the URL of the provider, as in --upstream https://`),
		Entry(nil, `--upstream: "api.example.com" is not an http URL, did you mean https://api.example.com?`,
			"--upstream", "api.example.com"),
		Entry(nil, `--upstream: "ftp://x" is not an http URL`, "--upstream", "ftp://x"),
		Entry(nil, `proxy: Config.Target: contains a password`, "--upstream", "http://me:pw@x"),
		Entry(nil, `--component: unknown component "rooter"`, "--upstream", "http://x", "--component", "rooter"),
		Entry(nil, `--fault: fault "chat:nope"`, "--upstream", "http://x", "--fault", "chat:nope"),
		Entry(nil, `proxy: Config.Faults[0]: router:fallback_label: the labels of the caller are not known here`,
			"--upstream", "http://x", "--fault", "router:fallback_label"),
	)
})
