package outbound_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"

	"evalctl/agent/outbound"
)

func Example() {
	srv := httptest.NewServer(http.RedirectHandler("http://elsewhere.test/v1", http.StatusTemporaryRedirect))
	defer srv.Close()
	resp, err := outbound.New(outbound.Config{MaxResponseBytes: 1 << 20}).Get(srv.URL)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer resp.Body.Close()
	fmt.Println(outbound.DescribeRedirect(resp))
	// Output: the answer is the redirect 307 to elsewhere.test/v1, which is not followed
}
