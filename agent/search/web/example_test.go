package web_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"

	"evalctl/agent/search/web"
)

func Example() {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, `{"answer":null,"results":[{"title":"图神经网络综述","url":"https://lab.example.org/gnn","content":"比较主要方法。"}]}`)
	}))
	defer srv.Close()
	c, err := web.New(web.Config{Engine: web.Tavily, BaseURL: srv.URL, APIKey: "tvly-…"})
	if err != nil {
		fmt.Println(err)
		return
	}
	found, err := c.Search(context.Background(), "图神经网络", 5)
	for _, r := range found.Pages {
		fmt.Println(r.Title, r.URL, err)
	}
	// Output: 图神经网络综述 https://lab.example.org/gnn <nil>
}
