package search_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"

	"evalctl/agent/search"
)

// Example searches for facts, and falls back to a live summary if there are none.
func Example() {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, `{"choices":[{"message":{"content":"- 上海 18 ℃（中国天气网）"},"finish_reason":"stop"}]}`)
	}))
	defer srv.Close()
	c, err := search.New(search.Config{BaseURL: srv.URL})
	if err != nil {
		fmt.Println(err)
		return
	}
	facts, err := c.SearchAndExtract(context.Background(), "上海天气")
	if errors.Is(err, search.ErrNoResults) {
		facts, err = c.SearchFallback(context.Background(), "上海天气")
	}
	fmt.Println(facts.Text, err)
	// Output: - 上海 18 ℃（中国天气网） <nil>
}
