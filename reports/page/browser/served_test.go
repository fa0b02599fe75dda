package browser_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"time"

	"github.com/chromedp/chromedp"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/eval"
	"evalctl/eval/history"
	"evalctl/reports"
	"evalctl/reports/page"
)

var _ = Describe("the pages of a server", func() {
	// served starts a server with one page and a stream of events, which ends when the channel is
	// closed. It returns the URL of the page.
	served := func(write func(w http.ResponseWriter), events <-chan string) string {
		mux := http.NewServeMux()
		mux.HandleFunc("/{$}", func(w http.ResponseWriter, _ *http.Request) { write(w) })
		mux.HandleFunc("/events", func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
			for first := true; ; first = false {
				select {
				case e, more := <-events:
					if !more && first {
						w.WriteHeader(http.StatusNoContent) // the response for a run that has ended
					}
					if !more {
						return
					}
					_, _ = fmt.Fprint(w, e)
					_ = http.NewResponseController(w).Flush()
				case <-r.Context().Done():
					return
				}
			}
		})
		mux.HandleFunc("/favicon.ico", func(http.ResponseWriter, *http.Request) {})
		server := httptest.NewServer(mux)
		DeferCleanup(server.Close)
		// so that the page sends no requests after the server is closed
		DeferCleanup(func() { do(chromedp.Navigate("about:blank")) })
		return server.URL + "/"
	}

	It("show the progress of an unfinished run, its results so far, a notice of new results, and its end", func() {
		run, sum := generatedRun{name: plain}.run()
		sum.Partial = true
		events := make(chan string)
		url := served(func(w http.ResponseWriter) {
			_, err := reports.WriteHTML(w, reports.Report{Summary: sum, Dir: "runs/now", Run: run},
				page.Server{RunListURL: "/", ProgressURL: "/events", TraceURL: "/case"})
			Expect(err).NotTo(HaveOccurred())
		}, events)
		visit(url, "#overview")
		completed := value[int]("Number(document.getElementById('follow').dataset.trials)")
		Expect(completed).To(BeNumerically(">", 200))
		const conditions = `[{"suite":"router","variant":"<b>llm</b>","fault":"none","correct":57,"scored":60},{"suite":"router","variant":"rules","fault":"image:timeout","correct":1,"scored":2},{"suite":"router","variant":"late","fault":"none","correct":0,"scored":0}]`
		events <- fmt.Sprintf(
			"event: progress\ndata: {\"done\":%d,\"planned\":1200,\"errors\":3,\"rate\":2.5,\"seconds_since_write\":75,\"conditions\":%s}\n\n", completed+1, conditions)
		waitFor("document.querySelector('#follow button').checkVisibility()")
		Expect(text("#follow")).To(And(ContainSubstring(" of 1,200 trials, 2.5 per second, 3 without an answer"),
			ContainSubstring("Nothing was written for 75 s"), ContainSubstring("Show 1 new trial")))
		Expect(value[[]float64](
			"(() => { const p = document.querySelector('#follow progress'); return [p.value, p.max]; })()")).
			To(Equal([]float64{float64(completed + 1), 1200}))
		Expect(value[[]string]("[...document.querySelectorAll('#follow li')].map((l) => l.textContent)")).To(
			Equal([]string{"router · <b>llm</b>: 95.0 % of 60", "router · rules · image:timeout: 1 of 2"}))
		events <- "event: end\ndata: {\"why\":\"it is done\"}\n\n"
		close(events)
		waitFor("document.querySelector('#follow [role=status]').textContent !== ''")
		Expect(text("#follow")).
			To(And(ContainSubstring("Updates stopped: it is done."), ContainSubstring("Show the results"),
				Not(ContainSubstring("Nothing was written"))))
		do(chromedp.Evaluate[chromedp.Void]("window.before = true"))
		click("#follow button")
		waitFor("!window.before && document.querySelector('#follow button')?.checkVisibility() === false")
	})

	It("show the list of runs within the width of a narrow screen", func() {
		do(setScreen(390, "light"))
		long := strings.Repeat("2026-01-02-nightly-of-all-", 8)
		list := reports.RunListReport{Runs: []history.Run{{Name: "runs/1", Started: time.Unix(0, 0), Status: "done"},
			{Name: "runs/" + long, Started: time.Unix(0, 0), Status: "running",
				Gates: []eval.GateVerdict{{Verdict: eval.GateFailed}}}}}
		url := served(func(w http.ResponseWriter) {
			block := list.HTML(reports.RunListControls{RunURL: func(run string) string { return "/run/" + run },
				Form: "compare"})
			_, err := page.Write(w, page.Page{Title: "Runs", Server: page.Server{RunListURL: "/"}, Views: []page.View{
				{Address: page.RunList, Title: "Runs", Facts: []string{"/data/" + long},
					Sections: []page.Section{page.FullWidth(block)}}}})
			Expect(err).NotTo(HaveOccurred())
		}, nil)
		do(chromedp.Navigate(url))
		Expect(text("main")).To(ContainSubstring("✗ 1 of 1"))
		Expect(value[int]("document.documentElement.scrollWidth")).To(BeNumerically("<=", 390))
	})
})
