package imagegen_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"

	"evalctl/agent/imagegen"
)

func Example() {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, `{"output":{"choices":[{"message":{"content":[{"image":"https://example.com/cat.png"}]}}]}}`)
	}))
	defer srv.Close()
	c, err := imagegen.New(imagegen.Config{BaseURL: srv.URL})
	if err != nil {
		fmt.Println(err)
		return
	}
	pic, err := c.Generate(context.Background(), "一只猫")
	fmt.Println(pic.URL, err)
	// Output: https://example.com/cat.png <nil>
}
