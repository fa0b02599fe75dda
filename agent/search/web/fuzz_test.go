package web_test

import (
	"context"
	"errors"
	"testing"

	"evalctl/agent/llm"
	"evalctl/agent/search"
	"evalctl/agent/search/web"
)

// FuzzAnswer checks that any response results in at most the requested number of pages, or in an
// error with a kind.
func FuzzAnswer(f *testing.F) {
	for _, body := range []string{
		`{"answer":"a","results":[{"title":"t","url":"https://e.example","content":"c","published_date":"Tue, 11 Mar 2025 17:00:00 GMT"}]}`,
		bochaAnswer, `{"code":"403","message":"m"}`, `{"code":{},"data":null}`, `{"detail":[{"loc":[{}],"msg":"m"}]}`,
		`[`, ``,
	} {
		f.Add(200, body)
		f.Add(422, body)
	}
	f.Fuzz(func(t *testing.T, status int, body string) {
		for _, engine := range web.Engines() {
			c, err := web.New(web.Config{Engine: engine, APIKey: "k", HTTP: answering(status, body),
				Retries: llm.NoRetries})
			if err != nil {
				t.Fatal(err)
			}
			found, err := c.Search(context.Background(), "q", 2)
			if len(found.Pages) > 2 || err != nil && llm.KindOf(err) == "" && !errors.Is(err, search.ErrNoResults) {
				t.Fatalf("%v, %v", found, err)
			}
		}
	})
}
