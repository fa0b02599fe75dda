package llm_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"evalctl/agent/clock"
	"evalctl/agent/llm"
)

// doer is an HTTP client that calls a function.
type doer func(*http.Request) (*http.Response, error)

func (f doer) Do(r *http.Request) (*http.Response, error) { return f(r) }

func FuzzExtract(f *testing.F) {
	for _, text := range []string{
		`{"route":"chat","confidence":0.9}`, "```json\n{\"route\":\"chat\",}\n```",
		`<think>{"route":1}</think>{"a":{"route":2}}`,
		`{"route":"ima`, `{"route":"chat","confidence":0.`, `{'route':'chat', // c` + "\n" + `'x':[1,2,],}`,
		`{route: chat, n: 007}`,
		`{"route":"\u4f60","x":-1.5e+3,"y":[true,null]`, `{"route":"a" + "b"}`, `{"route":/a/, "n": NumberLong(2)}`,
		"{\"route\":\"a\nb\"}", `{"route":`,
	} {
		f.Add(text, "route")
		f.Add(text, "")
	}
	f.Fuzz(func(t *testing.T, text, key string) {
		raw, err := llm.ExtractJSON(text, key)
		if err != nil {
			return
		}
		if !json.Valid(raw) {
			t.Fatalf("%q is not JSON, from %q", raw, text)
		}
		var members map[string]json.RawMessage
		if err := json.Unmarshal(raw, &members); err != nil {
			t.Fatalf("%q is not an object: %v", raw, err)
		}
		// If no repair was needed, every value must occur in the text literally.
		if strings.ContainsAny(text, "'/`“”‘’´\\") || !utf8.ValidString(text) {
			return
		}
		for _, member := range members {
			if s := strings.Trim(string(member), `"`); len(s) < 40 && !strings.ContainsAny(s, `[]{}\`) &&
				!contains(text, s) {
				t.Fatalf("value %s is invented, from %q", member, text)
			}
		}
	})
}

func contains(text, s string) bool {
	return s == "null" || s == "true" || s == "false" || strings.Contains(text, s)
}

func FuzzStream(f *testing.F) {
	good := "data: " + delta("a") + "\n\ndata: " + stop + "\n\ndata: " + tail + "\n\ndata: [DONE]\n\n"
	for _, body := range []string{
		good, strings.ReplaceAll(good, "\n", "\r"), "\uFEFF" + good, ": c\n\n" + good,
		"event: error\ndata: {}\n\n", limit,
		"data: {\"error\":{\"message\":\"m\"}}\n\n", "data: {\ndata: \"choices\":[]}\n\n", "data", "data:\n\n",
		"{", good[:len(good)/2],
	} {
		f.Add([]byte(body), 7)
	}
	f.Fuzz(func(t *testing.T, body []byte, size int) {
		c, err := llm.New(llm.Config{Model: "m", BaseURL: "http://x.test", Retries: llm.NoRetries,
			HTTP: doer(func(*http.Request) (*http.Response, error) {
				return &http.Response{StatusCode: 200,
					Body: io.NopCloser(&bits{bytes.NewReader(body), max(1, size%4096)})}, nil
			})})
		if err != nil {
			t.Fatal(err)
		}
		var chunks strings.Builder
		var a llm.Response
		err = clock.RunSimulated(context.Background(), time.Unix(0, 0), func(ctx context.Context) error {
			var err error
			a, err = c.Stream(ctx, ask("hi"), func(s string) error { chunks.WriteString(s); return nil })
			return err
		})
		if err == nil && a.FinishReason == "" {
			t.Fatal("success without a finish_reason")
		}
		if err != nil && llm.KindOf(err) == "" {
			t.Fatalf("%v has no kind", err)
		}
		if chunks.String() != a.Content {
			t.Fatalf("handed on %q of %q", chunks.String(), a.Content)
		}
	})
}

// bits is a reader that returns at most size bytes per call.
type bits struct {
	r    io.Reader
	size int
}

func (b *bits) Read(p []byte) (int, error) { return b.r.Read(p[:min(len(p), b.size)]) }

func BenchmarkNew(b *testing.B) {
	cfg := llm.Config{Provider: "deepseek", Model: "m", APIKey: "k", HTTP: doer(nil)}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := llm.New(cfg); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkExtract(b *testing.B) {
	for name, text := range map[string]string{
		"plain": `{"route":"image_gen","confidence":0.93,"reason":"用户要求画一只猫"}`,
		"fenced": "<think>" + strings.Repeat("用户想要什么？", 100) +
			"</think>\n```json\n{\"route\":\"image_gen\",\"confidence\":0.93,}\n```",
		"repair":  `{'route': 'image_gen', 'confidence': 0.93} // done`,
		"hostile": strings.Repeat(`{"a":`, 1<<17),
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				_, _ = llm.ExtractJSON(text, "route")
			}
		})
	}
}

func BenchmarkStream(b *testing.B) {
	text := strings.Repeat("data: "+delta("你好")+"\n\n", 20) + "data: " + stop + "\n\ndata: " + tail +
		"\n\ndata: [DONE]\n\n"
	c, err := llm.New(llm.Config{Provider: "deepseek", Model: "m", APIKey: "k",
		HTTP: doer(func(*http.Request) (*http.Response, error) {
			return &http.Response{StatusCode: 200, Body: io.NopCloser(strings.NewReader(text))}, nil
		})})
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := c.Stream(context.Background(), ask("hi"), nil); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkChat(b *testing.B) {
	c, err := llm.New(llm.Config{Provider: "deepseek", Model: "m", APIKey: "k",
		HTTP: doer(func(r *http.Request) (*http.Response, error) {
			return says("ok")(r)
		})})
	if err != nil {
		b.Fatal(err)
	}
	r := ask("json")
	r.JSON = true
	b.ReportAllocs()
	for b.Loop() {
		if _, err := c.Chat(context.Background(), r); err != nil {
			b.Fatal(err)
		}
	}
}
