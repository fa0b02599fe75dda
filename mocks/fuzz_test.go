package mocks_test

import (
	"encoding/json"
	"net/http/httptest"
	"strings"
	"testing"

	"evalctl/mocks"
)

// FuzzChatRequest checks that every request gets valid JSON, or a stream of valid JSON.
func FuzzChatRequest(f *testing.F) {
	for _, s := range []string{
		`{"model":"m","messages":[{"role":"user","content":"x"}]}`,
		`{"model":"m","stream":true,"stream_options":{"include_usage":true,"chunk_include_usage":true},"messages":[{"role":"user","content":[{"type":"text","text":"\ud800"}]}]}`,
		`{"model":"\u0000","max_tokens":-1,"messages":[{"role":"user","content":null}]}`,
		`{"model":"deepseek-flash","stream":true,"messages":[{"role":"user","content":"x"}]}`,
		`{"model":"wanx2.1-imageedit","input":{"function":"description_edit","prompt":"x","base_image_url":"data:image/png;base64,\u0000="}}`,
		`{"model":"m","n":2,"logprobs":true,"top_logprobs":20,"stream":true,"messages":[{"role":"user","content":"x"}]}`,
		`{"model":"m","tools":[{"type":"function","function":{"name":"f","strict":true,"parameters":{"type":"object","properties":{},"additionalProperties":false}}}],"tool_choice":"required","messages":[{"role":"user","content":"x"}]}`,
		`{"model":"m","response_format":{"type":"json_schema","json_schema":{"name":"n","schema":{"$ref":"#/a","a":{"enum":[1]}}}},"messages":[{"role":"user","content":"x"}]}`,
		`{"model":"q","input":{"prompt":"x"},"parameters":{"incremental_output":true,"enable_search":true,"search_options":{"enable_source":true},"enable_thinking":true}}`,
		`{"query":"\ud800","max_results":20,"count":50,"include_answer":"x","include_images":true,"time_range":"d","freshness":"2026-01-01..2026-01-02"}`,
		`{"messages":{}}`, `[`, `{"model":"m","n":99999999999999999999}`,
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, body string) {
		s, err := mocks.New(mocks.Config{Strict: len(body)%2 == 0})
		if err != nil {
			t.Fatal(err)
		}
		for _, base := range bases {
			playChat(t, s, base, body)
		}
		for _, path := range []string{"/v1/embeddings", "/compatible-mode/v1/embeddings", syncPath, taskPath, editPath,
			messagesPath, textPath, "/search", "/v1/web-search"} {
			if w := post(s, path, body, async); !json.Valid(w.Body.Bytes()) {
				t.Fatalf("%s: %s", path, w.Body)
			}
		}
		if w := post(s, textPath, body); !json.Valid(w.Body.Bytes()) {
			t.Fatalf("%s: %s", textPath, w.Body)
		}
		checkNative(t, post(s, textPath, body, sse))
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

// checkNative checks that a stream in DashScope's native format has events of valid JSON.
func checkNative(t *testing.T, w *httptest.ResponseRecorder) {
	t.Helper()
	if w.Code != 200 {
		return
	}
	for _, event := range strings.Split(strings.TrimSuffix(w.Body.String(), "\n\n"), "\n\n") {
		if _, data, found := strings.Cut(event, "\ndata:"); !found || !json.Valid([]byte(data)) {
			t.Fatalf("bad event %q", event)
		}
	}
}
