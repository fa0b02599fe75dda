package browser_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/chromedp/chromedp"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/reports/page"
)

func escaped(text string) string { return strings.ReplaceAll(url.QueryEscape(text), "+", "%20") }

var _ = Describe("the report page of a server", func() {
	It("requests the traces that it does not contain, and shows the error message if the server cannot deliver one",
		func() {
			d := report()
			d.meta.TraceURL = "/trace"
			second := &d.blocks[0].Cases[1].Trials[0].Turns[0]
			second.Events = append(slices.Clone(second.Events), page.Event{At: 1700, Duration: 200, Node: "chat",
				Kind: "call", Call: &page.Call{InputTokens: 5}})
			file, err := os.ReadFile(strings.TrimPrefix(writePage(d.parts()), "file://"))
			Expect(err).NotTo(HaveOccurred())
			requests := make(chan url.Values, 9)
			answers := http.NewServeMux()
			answers.HandleFunc("/{$}", func(w http.ResponseWriter, _ *http.Request) {
				_, _ = w.Write([]byte(strings.Replace(string(file), "img-src data:;",
					"img-src data:; connect-src 'self';", 1)))
			})
			answers.HandleFunc("/trace", func(w http.ResponseWriter, r *http.Request) {
				requests <- r.URL.Query()
				if !slices.Contains([]string{"tr-002", "tr-100"}, r.URL.Query().Get("case")) {
					http.Error(w, "no such case", http.StatusNotFound)
					return
				}
				c := d.blocks[0].Cases[0]
				_ = json.NewEncoder(w).Encode(c)
			})
			answers.HandleFunc("/favicon.ico", func(http.ResponseWriter, *http.Request) {})
			server := httptest.NewServer(answers)
			DeferCleanup(server.Close)
			visit(server.URL+"/", "#case/router/tr-100?variant=llm")
			Expect(value[bool]("document.querySelector('#case .timeline')" + " !== null")).To(BeTrue())
			Expect(<-requests).To(Equal(url.Values{"suite": {"router"}, "case": {"tr-100"}}))
			visit(server.URL+"/", "#case/router/tr-001?variant=rules")
			Expect(value[bool]("document.querySelector('#case .timeline')" + " !== null")).To(BeTrue())
			Expect(requests).NotTo(Receive())
			Expect(count("#case #load-prompts")).To(BeZero())
			visit(server.URL+"/", "#case/router/tr-002?variant=rules") // the file has only the prompt of its first call
			click("#load-prompts")
			waitFor("!document.querySelector('#load-prompts')")
			Expect((<-requests).Get("case")).To(Equal("tr-002"))
			visit(server.URL+"/", "#case/router/tr-101?variant=rules")
			Expect(value[bool]("document.querySelector('#case > .wrong')" + " !== null")).To(BeTrue())
			Expect(text("#case")).To(ContainSubstring("the server responds with 404"))
			Expect(problems.drain()).To(ConsistOf(ContainSubstring("404")))
		})
})

var _ = Describe("a large report page, while it loads", func() {
	DescribeTable("shows no view but the one that it will show", func(address string, shown []string) {
		text, err := os.ReadFile(strings.TrimPrefix(writeReport(generatedRun{name: plain}), "file://"))
		Expect(err).NotTo(HaveOccurred())
		views, data, found := strings.Cut(string(text), `<script type="text/plain"`)
		Expect(found).To(BeTrue())
		rest := make(chan bool)
		answers := http.NewServeMux()
		answers.HandleFunc("/page", func(w http.ResponseWriter, _ *http.Request) {
			_, _ = io.WriteString(w, views)
			w.(http.Flusher).Flush()
			<-rest
			_, _ = io.WriteString(w, `<script type="text/plain"`+data)
		})
		answers.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) {
			_, _ = io.WriteString(w, `<title>frame</title><link rel="icon" href="data:,">`)
		})
		server := httptest.NewServer(answers)
		DeferCleanup(server.Close)
		finish := sync.OnceFunc(func() { close(rest) })
		DeferCleanup(finish)
		do(setScreen(1280, "light"), chromedp.Navigate(server.URL+"/"))
		do(chromedp.Evaluate[chromedp.Void](fmt.Sprintf("{ const f = document.createElement('iframe'); "+
			"f.width = 1200; f.height = 800; f.src = '/page' + %q; document.body.append(f); }", address)))
		const visible = "[...frames[0].document.querySelectorAll('[data-view]')].filter((v) => v.checkVisibility()).map((v) => v.id)"
		waitFor("frames[0].document.querySelector('footer')")
		Expect(value[[]string](visible)).To(Equal(shown))
		finish()
		waitFor("'shown' in frames[0].document.documentElement.dataset")
		Expect(value[[]string](visible)).To(HaveLen(1))
		Expect(value[float64]("frames[0].scrollY")).To(BeZero())
	},
		Entry("without an address: the first view", "", []string{"overview"}),
		Entry("with the address of the list: none", "#cases", []string{}),
		Entry("with the address of a suite: none", "#suite/router", []string{}),
	)
})
