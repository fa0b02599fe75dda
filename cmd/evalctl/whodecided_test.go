package main

import (
	"fmt"
	"html"
	"io"
	"net/http"
	"strings"
	"sync/atomic"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/cmd/evalctl/exit"
)

var _ = DescribeTable("15.24: a run whose model gave no usable answer reports what decided instead, and a gate can check it",
	func(line, label, first, then string, args ...string) {
		var calls atomic.Int64
		base := serveModel(func(w http.ResponseWriter, _ *http.Request, _ http.Handler) {
			answer := completeAnswer(then)
			if calls.Add(1) == 1 {
				answer = completeAnswer(first)
			}
			_, _ = io.WriteString(w, answer)
		})
		var cases strings.Builder
		for i := range 40 {
			fmt.Fprintf(&cases, `{"id":"c%d","text":"一只猫 %d","label":%q}`+"\n", i, i, label)
		}
		dir := newRunDir()
		got := evalctl(append(args, "--base-url", base, "--model", "m", "--dataset",
			fileOf("cases.jsonl", cases.String()), "--decision-only", "-j", "1",
			"--gate", "router.answer_used >= 0.95", "--out", dir, "-q")...)
		Expect(got.code).To(Equal(exit.GateFailed), got.stderr)
		for _, text := range []string{got.stdout, evalctl("report", dir).stdout,
			evalctl("report", dir, "--format", "markdown").stdout, evalctl("report", dir, "--format", "html").stdout} {
			Expect(strings.Join(strings.Fields(html.UnescapeString(text)), " ")).To(ContainSubstring(line))
		}
		gates := evalctl("gate", dir, "router.answer_unused.model_refusal <= 10%", "router.decided_instead.llm <= 0")
		Expect(gates.code).To(Equal(exit.Passed), gates.stdout+gates.stderr)
		Expect(gates.stdout).To(MatchRegexp(`model_refusal .*0 % \[0, 8\.8\] of 40`))
	},
	Entry("a router with a model whose answers are not JSON",
		"the rules made 39 of 40 decisions: 39 model answers were invalid.", "chat",
		`{"route":"chat","confidence":0.9}`, "I think it is chat", "run", "--target", "toolrouter",
		"--router", "llm-first"),
	Entry("the v1 profile of the studio with a model that names an unknown action",
		"the rules made 39 of 40 decisions: 39 model answers were invalid.", "generate_image",
		`{"action":"generate_image","subject":"cat","prompt":"a cat"}`,
		`{"action":"paint","subject":"cat","prompt":"a cat"}`, "run", "--target", "studio", "--profile", "v1"),
)
