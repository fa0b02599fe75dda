package main

import (
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/limit"
	"evalctl/cmd/evalctl/exit"
	"evalctl/cmd/evalctl/terminal"
)

var _ = It("15.5: while chat and serve wait for a rate-limited endpoint, they print its name and since when it has been limited",
	Label("concurrent"), func() {
		var asked atomic.Int64
		base := serveModel(func(w http.ResponseWriter, r *http.Request, next http.Handler) {
			if asked.Add(1)%2 == 1 {
				w.Header().Set("Retry-After-Ms", "100")
				http.Error(w, `{"error":{"message":"slow down","code":"rate_limit_exceeded"}}`,
					http.StatusTooManyRequests)
				return
			}
			next.ServeHTTP(w, r)
		})
		const state = `generic at 127\.0\.0\.1:\d+ has been rate-limited since \d\d:\d\d:\d\d: no answer for 0s, waiting up to 2m0s`
		got := runWithInput(GinkgoT().Context(), "你好\n", "chat", "toolrouter", "--allow-simulated", "--router", "rules",
			"--base-url", base, "--model", "m")
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		Expect(got.stdout).To(MatchRegexp("(?m)^· " + state + "$"))

		_, text := post(serving("toolrouter", "--allow-simulated", "--router", "rules", "--base-url",
			base, "--model", "m"),
			"toolrouter", `{"text":"你好"}`)
		Expect(text).To(MatchRegexp(`event: notice\nid: 1\ndata: .*"text":"` + state))
	})

var _ = It("15.5: the progress of a run shows since when an endpoint has been rate-limited, except with -q", func() {
	s := limit.EndpointState{Provider: "openai", Host: "h", Since: time.Date(2026, 1, 2, 15, 4, 5, 0, time.UTC),
		Elapsed: 33 * time.Second}
	for quiet, want := range map[bool]string{false: "evalctl: " + s.String() + "\n", true: ""} {
		var stderr strings.Builder
		bar := terminal.NewProgress(&stderr, 4, 0, quiet)
		bar.ShowWaiting("rate-limited since 15:04:05", s.String())
		bar.Finish()
		Expect(stderr.String()).To(Equal(want))
	}
	Expect(s.String()).To(Equal(
		"openai at h has been rate-limited since 15:04:05: no answer for 33s, waiting up to 2m0s"))
})
