package service_test

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"evalctl/agent"
	"evalctl/agent/service"
	"evalctl/agent/trace"
)

func FuzzRequest(f *testing.F) {
	for _, body := range []string{
		`{}`, `null`, `[]`, `{"text":"画一只猫","sessionId":"s1","options":{"agent":false}}`, `{"Text":1}`, `{"a":{"b":[1`,
		`{"maskData":{"base64":"` + onePNG + `","imageUrl":"https://e.com/1.png","coordinates":[{"x":1,"y":2e3}]}}`,
		`{"maskData":{"base64":"data:image/png;base64,` + onePNG + `"},"images":["data:image/png;base64,` +
			onePNG + `"]}`,
		`{"maskData":"` + onePNG + `"}`,
		`{"history":[{"role":"user","content":"\ud83d\ude00","images":["http://e.com"],"generated_image_url":"","timestamp":[1]}],"documents":[{"name":"a","content":"b"}]}`,
		"{\"text\":\"\xff\"}", `{"options":{"` + strings.Repeat("长", 99) + `":1,"x":1e999,"x":2}}`,
		`{"sessionId":"\u0000"}`,
	} {
		f.Add([]byte(body))
	}
	s, got := remembering(f)
	f.Fuzz(func(t *testing.T, body []byte) {
		*got = agent.Turn{}
		checkEnd(t, s, recorded(s, http.MethodPost, chatPath, string(body)), *got)
	})
}

func FuzzQuery(f *testing.F) {
	for _, query := range []string{"", "text=%E7%8C%AB&sessionId=s1", "text=a;b", "text=%ff", "text=a&text=b", "%zz",
		"sessionId=%00", "=", "&&", "text"} {
		f.Add(query, "localhost")
	}
	f.Add("text=a", "[::1%25eth0]:80")
	s, got := remembering(f)
	f.Fuzz(func(t *testing.T, query, host string) {
		*got = agent.Turn{}
		r := httptest.NewRequest(http.MethodGet, chatPath, nil)
		r.URL.RawQuery, r.Host = query, host
		r.Header.Set("Accept", "text/event-stream")
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r)
		checkEnd(t, s, w, *got)
	})
}

// remembering returns a service and a pointer to the last turn that its agent received.
func remembering(f *testing.F) (*service.Service, *agent.Turn) {
	got := &agent.Turn{}
	s, err := service.New(service.Config{AllowedHosts: []string{"example.com"}, Log: slog.New(slog.DiscardHandler),
		Agents: map[string]agent.Agent{
			"a": agent.Func(func(_ context.Context, t agent.Turn, _ func(trace.Event)) (agent.Reply, error) {
				*got = t
				return agent.Reply{}, nil
			}),
		}})
	if err != nil {
		f.Fatal(err)
	}
	return s, got
}

// checkEnd checks that a request was either answered, with a valid turn, or rejected with a valid
// error response.
func checkEnd(t *testing.T, s *service.Service, w *httptest.ResponseRecorder, got agent.Turn) {
	answered := got.Session != ""
	switch {
	case w.Code == http.StatusOK && answered:
		checkTurn(t, got)
	case (w.Code == http.StatusBadRequest || w.Code == http.StatusForbidden) && !answered:
		checkRefusal(t, w)
	default:
		t.Fatalf("status %d, answered %v", w.Code, answered)
	}
	if s.AnswersInProgress() != 0 {
		t.Fatalf("%d runs are left", s.AnswersInProgress())
	}
}

func checkTurn(t *testing.T, turn agent.Turn) {
	raw, err := json.Marshal(turn)
	if err != nil || !utf8.Valid(raw) {
		t.Fatalf("%q %v", raw, err)
	}
	if turn.Session == "" || strings.ContainsFunc(turn.Session, func(r rune) bool { return r <= ' ' || r > '~' }) {
		t.Fatalf("session %q", turn.Session)
	}
	if m := turn.Mask; m != "" && !strings.HasPrefix(m, "data:image/") {
		t.Fatalf("mask %q", m)
	}
	for _, u := range turn.Images {
		if !strings.HasPrefix(u, "data:image/") && !strings.HasPrefix(strings.ToLower(u), "http") {
			t.Fatalf("picture %q", u)
		}
	}
}

func checkRefusal(t *testing.T, w *httptest.ResponseRecorder) {
	var p struct {
		Error struct{ Code, Message string }
	}
	if err := json.Unmarshal(w.Body.Bytes(), &p); err != nil || p.Error.Code == "" || p.Error.Message == "" {
		t.Fatalf("%q: %v", w.Body, err)
	}
	m := p.Error.Message
	if len(m) > 400 || strings.ContainsFunc(m, func(r rune) bool { return !unicode.IsPrint(r) }) {
		t.Fatalf("message of %d bytes: %q", len(m), m)
	}
}
