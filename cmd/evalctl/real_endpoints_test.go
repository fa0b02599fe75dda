package main

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/cmd/evalctl/exit"
)

var _ = Describe("services without models, such as a search", Label("concurrent"), func() {
	var (
		mu    sync.Mutex
		asked []string // address and key of each request
	)
	BeforeEach(func() {
		asked = nil
		GinkgoT().Setenv("RAGFLOW_API_KEY", "ragflow-key-of-the-user")
		GinkgoT().Setenv("BOCHA_API_KEY", "bocha-key-of-the-user")
	})
	serve := func(answer string) string {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			mu.Lock()
			defer mu.Unlock()
			asked = append(asked, r.URL.Path+" "+r.Header.Get("Authorization"))
			fmt.Fprint(w, answer)
		}))
		DeferCleanup(server.Close)
		return server.URL
	}
	const passages = `{"code":0,"data":{"chunks":[{"id":"zh-01#1","document_id":"zh-01","content":"样本 72 个。","similarity":0.9}],"total":1}}`

	It("are called at the address in --real, with the key of their usual environment variable", func() {
		got := runWithInput(context.Background(), "/set mode_type LITERATURE_QA\n/set documents zh-01 zh-02\n样本有多少\n",
			"chat", "scholar", "--allow-simulated", "--real", "retrieval="+serve(passages))
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		Expect(asked).NotTo(BeEmpty())
		Expect(asked).To(HaveEach("/api/v1/retrieval Bearer ragflow-key-of-the-user"))

		asked = nil
		got = runWithInput(context.Background(), "/set web_search true\n今天有什么新闻\n",
			"chat", "scholar", "--allow-simulated", "--real",
			"search=bocha:"+serve(`{"code":200,"data":{"webPages":{"value":[{"name":"甲","url":"https://a.example","snippet":"乙"}]}}}`))
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		Expect(asked).To(Equal([]string{"/web-search Bearer bocha-key-of-the-user"}))
		Expect(got.stdout + got.stderr).NotTo(ContainSubstring("key-of-the-user"))
	})

	It("are called at the address in a suite file, which names no model for them", func() {
		dir := GinkgoT().TempDir()
		suite := filepath.Join(dir, "suite.yaml")
		Expect(os.WriteFile(suite,
			fmt.Appendf(nil, "name: own\ntarget: scholar\ndataset: scholar\ntags: [qa]\nsample: 5\nvariants: [{name: v, max-context-tokens: 3000, system-tokens: 100, reserved-answer-tokens: 300}]\nmodels: {retrieval: {base_url: %s}}\n", serve(`{"code":0,"data":{"chunks":[],"total":0}}`)), 0o600)).To(Succeed())
		got := evalctl("run", suite, "--out", filepath.Join(dir, "run"))
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		Expect(asked).To(ContainElement(HavePrefix("/api/v1/retrieval ")))
	})
})
