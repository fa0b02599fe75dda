package browser_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

func escaped(text string) string { return strings.ReplaceAll(url.QueryEscape(text), "+", "%20") }

var _ = Describe("the report page of a server", func() {
	It("requests the traces that it does not contain, and shows the error message if the server cannot deliver one",
		func() {
			d := report()
			d.meta.TraceURL = "/trace"
			page, err := os.ReadFile(strings.TrimPrefix(writePage(d.parts()), "file://"))
			Expect(err).NotTo(HaveOccurred())
			requests := make(chan url.Values, 9)
			answers := http.NewServeMux()
			answers.HandleFunc("/{$}", func(w http.ResponseWriter, _ *http.Request) {
				_, _ = w.Write([]byte(strings.Replace(string(page), "img-src data:;",
					"img-src data:; connect-src 'self';", 1)))
			})
			answers.HandleFunc("/trace", func(w http.ResponseWriter, r *http.Request) {
				requests <- r.URL.Query()
				if r.URL.Query().Get("case") != "tr-100" {
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
			visit(server.URL+"/", "#case/router/tr-001")
			Expect(value[bool]("document.querySelector('#case .timeline')" + " !== null")).To(BeTrue())
			Expect(requests).NotTo(Receive())
			visit(server.URL+"/", "#case/router/tr-101")
			Expect(value[bool]("document.querySelector('#case > .wrong')" + " !== null")).To(BeTrue())
			Expect(text("#case")).To(ContainSubstring("the server answers 404"))
			Expect(problems.drain()).To(ConsistOf(ContainSubstring("404")))
		})
})
