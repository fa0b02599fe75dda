package search_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/clock"
	"evalctl/agent/llm"
	"evalctl/agent/search"
	"evalctl/agent/trace"
)

var noon = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

// service is a mock model that sends the same status and content to every request.
type service struct {
	status  int
	content string
	bodies  []map[string]any
	urls    []string
}

func (s *service) Do(r *http.Request) (*http.Response, error) {
	var m map[string]any
	if err := json.NewDecoder(r.Body).Decode(&m); err != nil {
		return nil, err
	}
	s.bodies, s.urls = append(s.bodies, m), append(s.urls, r.URL.String())
	quoted, err := json.Marshal(s.content)
	if err != nil {
		return nil, err
	}
	body := `{"choices":[{"message":{"content":` + string(quoted) +
		`},"finish_reason":"stop"}],"usage":{"total_tokens":9}}`
	return &http.Response{StatusCode: s.status, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(body))}, nil
}

func prompt(body map[string]any) string {
	return body["messages"].([]any)[0].(map[string]any)["content"].(string)
}

var _ = Describe("search.Client", func() {
	var (
		s      *service
		cfg    search.Config
		events []trace.Event
	)
	BeforeEach(func() {
		s, events = &service{status: 200, content: "- 上海今天 18 ℃"}, nil
		cfg = search.Config{APIKey: "k", HTTP: s}
	})
	play := func(f func(context.Context, *search.Client) (search.Facts, error)) (facts search.Facts, err error) {
		GinkgoHelper()
		c, err := search.New(cfg)
		Expect(err).NotTo(HaveOccurred())
		err = clock.RunSimulated(context.Background(), noon, func(ctx context.Context) error {
			ctx = trace.WithRecorder(ctx, func(e trace.Event) { events = append(events, e) })
			facts, err = f(ctx, c)
			return err
		})
		return facts, err
	}
	extract := func(ctx context.Context, c *search.Client) (search.Facts, error) {
		return c.SearchAndExtract(ctx, "上海天气 <现在>")
	}
	digest := func(ctx context.Context, c *search.Client) (search.Facts, error) {
		return c.SearchFallback(ctx, "上海天气")
	}

	It("T7: searches with qwen-plus and enable_search, without streaming", func() {
		facts, err := play(extract)
		Expect(err).NotTo(HaveOccurred())
		Expect(facts).To(Equal(search.Facts{Query: "上海天气 <现在>", Text: "- 上海今天 18 ℃", Usage: llm.Usage{Total: 9}}))
		Expect(s.urls).To(Equal([]string{"https://dashscope.aliyuncs.com/compatible-mode/v1/chat/completions"}))
		body := s.bodies[0]
		Expect(body).To(HaveKeyWithValue("model", "qwen-plus"))
		Expect(body).To(HaveKeyWithValue("enable_search", true))
		Expect(body).To(HaveKeyWithValue("stream", false))
		Expect(body).NotTo(HaveKey("search_options"))
		Expect(prompt(body)).To(And(ContainSubstring("上海天气 <现在>"), ContainSubstring("关键事实"),
			ContainSubstring("2026-11-20 12:00")))
		Expect(events).To(HaveLen(1))
		Expect(events[0].Node).To(Equal("search"))
	})

	It("T7: forces the web search in SearchFallback, and uses another prompt", func() {
		_, err := play(digest)
		Expect(err).NotTo(HaveOccurred())
		Expect(s.bodies[0]).To(HaveKeyWithValue("search_options", map[string]any{"forced_search": true}))
		Expect(s.bodies[0]).To(HaveKeyWithValue("enable_search", true))
		Expect(prompt(s.bodies[0])).To(ContainSubstring("摘要"))
	})

	It("T7: returns ErrEmpty for an empty answer", func() {
		s.content = " \n"
		_, err := play(extract)
		Expect(err).To(MatchError(search.ErrNoResults))
		_, err = play(digest)
		Expect(err).To(MatchError(search.ErrNoResults))
	})

	It("T7: does not return reasoning as a fact", func() {
		s.content = "<think>查一下</think>\n- 上海今天 18 ℃\n"
		facts, err := play(extract)
		Expect(err).NotTo(HaveOccurred())
		Expect(facts.Text).To(Equal("- 上海今天 18 ℃"))
		s.content = "<think>没有查到</think>"
		_, err = play(extract)
		Expect(err).To(MatchError(search.ErrNoResults))
	})

	It("T7: returns an error with the kind of the last failed attempt", func() {
		s.status = 503
		_, err := play(extract)
		Expect(err).To(MatchError(llm.KindServerError))
		Expect(err).NotTo(MatchError(search.ErrNoResults))
		Expect(s.bodies).To(HaveLen(3))
	})

	file := func(text string) string {
		GinkgoHelper()
		path := filepath.Join(GinkgoT().TempDir(), "mine.txt")
		Expect(os.WriteFile(path, []byte(text), 0o600)).To(Succeed())
		return path
	}

	It("X7: uses prompts from files, which change the version", func() {
		shipped, err := search.ShippedPrompts()
		Expect(err).NotTo(HaveOccurred())
		Expect(shipped.Fallback.Name).To(Equal("digest"))
		mine, err := search.LoadPromptFile(file("找：{{.Query}}"))
		Expect(err).NotTo(HaveOccurred())
		cfg.Prompts.Extract = mine
		_, err = play(extract)
		Expect(err).NotTo(HaveOccurred())
		Expect(prompt(s.bodies[0])).To(Equal("找：上海天气 <现在>"))
		_, err = play(digest)
		Expect(err).NotTo(HaveOccurred())
		Expect(prompt(s.bodies[1])).To(ContainSubstring("摘要"))

		cfg.Prompts = search.Prompts{Fallback: mine}
		_, err = play(digest)
		Expect(err).NotTo(HaveOccurred())
		Expect(prompt(s.bodies[2])).To(Equal("找：上海天气"))
		hashes := []string{shipped.Hash(), search.Prompts{Extract: mine, Fallback: shipped.Fallback}.Hash(),
			search.Prompts{Extract: shipped.Extract, Fallback: mine}.Hash()}
		Expect(slices.Compact(slices.Sorted(slices.Values(hashes)))).To(HaveLen(3))
	})

	DescribeTable("X7: rejects a prompt file that would fail in every search; the error names the file in one line",
		func(text, want string) {
			_, err := search.LoadPromptFile(file(text))
			Expect(err).To(MatchError(And(ContainSubstring("mine"), ContainSubstring(want),
				Not(ContainSubstring("\n")))))
		},
		Entry("an empty file", " ", "empty"),
		Entry("a file with an invalid template", "{{.Query", "mine.txt:1"),
		Entry("a file with an unknown placeholder", "{{.Query}} {{.Place}}", "{{.Query}} and {{.Now}}"),
		Entry("a file without a placeholder for the query", "今天有什么新闻", "what to look for"),
	)

	DescribeTable("is not created from an invalid Config; the error names the field",
		func(field string, change func(*search.Config)) {
			change(&cfg)
			_, err := search.New(cfg)
			Expect(err).To(MatchError(And(HavePrefix("search.Config"), ContainSubstring(field))))
		},
		Entry(nil, "APIKey", func(c *search.Config) { c.APIKey = "" }),
		Entry(nil, "Provider", func(c *search.Config) { c.Provider = "nobody" }),
		Entry(nil, "Prompts", func(c *search.Config) { c.Prompts.Fallback.Text = "今天有什么新闻" }),
	)
})
