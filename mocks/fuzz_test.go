package mocks_test

import (
	"encoding/json"
	"net/http/httptest"
	"strings"
	"testing"

	"evalctl/mocks"
)

// FuzzChatRequest holds that every request gets valid JSON, or a stream of it.
func FuzzChatRequest(f *testing.F) {
	for _, s := range []string{
		`{"model":"m","messages":[{"role":"user","content":"x"}]}`,
		`{"model":"m","stream":true,"stream_options":{"include_usage":true,"chunk_include_usage":true},"messages":[{"role":"user","content":[{"type":"text","text":"\ud800"}]}]}`,
		`{"model":"\u0000","max_tokens":-1,"messages":[{"role":"user","content":null}]}`,
		`{"model":"deepseek-flash","stream":true,"messages":[{"role":"user","content":"x"}]}`,
		`{"model":"wanx2.1-imageedit","input":{"function":"description_edit","prompt":"x","base_image_url":"data:image/png;base64,\u0000="}}`,
		`{"messages":{}}`, `[`, `{"model":"m","n":99999999999999999999}`,
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, body string) {
		s, err := mocks.New(mocks.Config{})
		if err != nil {
			t.Fatal(err)
		}
		for _, base := range bases {
			playChat(t, s, base, body)
		}
		for _, path := range []string{"/v1/embeddings", "/compatible-mode/v1/embeddings", syncPath, taskPath, editPath} {
			if w := post(s, path, body, async); !json.Valid(w.Body.Bytes()) {
				t.Fatalf("%s: %s", path, w.Body)
			}
		}
	})
}

func playChat(t *testing.T, s *mocks.Server, base, body string) {
	t.Helper()
	w := post(s, base+"/chat/completions", body)
	if w.Header().Get("Content-Type") == "application/json" {
		if !json.Valid(w.Body.Bytes()) {
			t.Fatalf("%d: %q", w.Code, w.Body)
		}
		return
	}
	checkStream(t, w)
}

func checkStream(t *testing.T, w *httptest.ResponseRecorder) {
	t.Helper()
	events := strings.Split(w.Body.String(), "\n\n")
	if n := len(events); n < 3 || events[n-1] != "" || events[n-2] != "data: [DONE]" {
		t.Fatalf("no end: %q", w.Body)
	}
	for _, e := range events[:len(events)-2] {
		data, found := strings.CutPrefix(e, "data: ")
		if !found || !json.Valid([]byte(data)) {
			t.Fatalf("bad event %q", e)
		}
	}
}
