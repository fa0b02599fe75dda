package service_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http/httptest"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent"
	"evalctl/agent/service"
	"evalctl/agent/system"
	"evalctl/agent/trace"
)

func turnOf(body string) (t agent.Turn) {
	GinkgoHelper()
	s := made(only(func(_ context.Context, got agent.Turn, _ func(trace.Event)) (agent.Reply, error) {
		t = got
		return agent.Reply{}, nil
	}))
	w := recorded(s, "POST", chatPath, body)
	Expect(w.Code).To(Equal(200), w.Body.String())
	Expect(w.Header().Get("X-Session-Id")).To(Equal(t.Session))
	return t
}

var _ = Describe("A request", func() {
	It("is passed to the agent as a turn with all its fields", func() {
		t := turnOf(`{"text":"把帽子换成红色","sessionId":"s1","user":"anna",
			"maskData":{"base64":"` + onePNG + `","imageUrl":"https://e.com/base.png","coordinates":[{"x":1,"y":2.5},{"y":-3,"x":4}]},
			"images":["http://e.com/1.png","data:image/avif;base64,AAAA"],
			"history":[{"role":"user","content":"画一只猫","images":["https://e.com/0.png"]},{"role":"assistant","content":"好","generated_image_url":"https://e.com/cat.png"}],
			"documents":[{"name":"a.txt","content":"一"}],"options":{"agent":false,"n":{"a":[1]}}}`)
		Expect(t).To(Equal(agent.Turn{
			Text: "把帽子换成红色", Session: "s1", User: "anna", IsPublicAgent: true, Mask: "data:image/png;base64," + onePNG,
			Images: []string{"http://e.com/1.png", "data:image/avif;base64,AAAA", "https://e.com/base.png"},
			History: []agent.Message{
				{Role: "user", Content: "画一只猫", Images: []string{"https://e.com/0.png"}},
				{Role: "assistant", Content: "好", GeneratedImageURL: "https://e.com/cat.png"},
			},
			Documents: []agent.Document{{Name: "a.txt", Content: "一"}},
			State:     map[string]json.RawMessage{"coordinates": json.RawMessage(`[{"x":1,"y":2.5},{"x":4,"y":-3}]`)},
			Options:   map[string]json.RawMessage{"agent": json.RawMessage(`false`), "n": json.RawMessage(`{"a":[1]}`)},
		}))
	})

	DescribeTable("31.3: names the pressed button in the field action", func(buttons []string, want string) {
		var got agent.Turn
		cfg := only(func(_ context.Context, t agent.Turn, _ func(trace.Event)) (agent.Reply, error) {
			got = t
			return agent.Reply{}, nil
		})
		cfg.Systems = map[string]system.System{"a": {Contract: system.Contract{ButtonIDs: buttons}}}
		w := recorded(made(cfg), "POST", chatPath, `{"action":"again_btn","text":"Again"}`)
		if want == "" {
			Expect(w.Code).To(Equal(200), w.Body.String())
			Expect(got.ButtonID).To(Equal("again_btn"))
			return
		}
		Expect(w.Code).To(Equal(400))
		_, message := problemOf(w)
		Expect(message).To(Equal(want))
	},
		Entry(nil, []string{"again_btn"}, ""),
		Entry("an unknown button", []string{"retry_btn", "stop_btn"},
			`action: unknown button "again_btn" (known: retry_btn, stop_btn)`),
		Entry("an agent without buttons", nil, `action: "again_btn": the agent has no buttons`),
	)

	DescribeTable("is rejected unless its switches are declared by the agent and are true or false",
		func(known []string, options, want string) {
			cfg := only(silent)
			cfg.Systems = map[string]system.System{"a": {Contract: system.Contract{Options: known}}}
			w := recorded(made(cfg), "POST", chatPath, `{"text":"x","options":`+options+`}`)
			if want == "" {
				Expect(w.Code).To(Equal(200), w.Body.String())
				return
			}
			Expect(w.Code).To(Equal(400))
			Expect(w.Body.String()).To(MatchJSON(`{"error":{"code":"BAD_REQUEST","message":` + want + `}}`))
		},
		Entry("an unknown switch is rejected", []string{"agent", "search"}, `{"nope":true}`,
			`"options.nope: unknown switch (known: agent, search)"`),
		Entry("a switch is rejected if the agent declares none", nil, `{"agent":true}`,
			`"options.agent: unknown switch (known: none)"`),
		Entry("a switch with a text as its value is rejected", []string{"agent"}, `{"agent":"no"}`,
			`"options.agent: \"no\" is neither true nor false"`),
		Entry("a declared switch may be true", []string{"agent"}, `{"agent":true}`, ""),
		Entry("a declared switch may be false", []string{"agent"}, `{"agent": false }`, ""),
	)

	DescribeTable("may contain only the options and state that its agent declares", func(body, want string) {
		var got agent.Turn
		cfg := only(func(_ context.Context, t agent.Turn, _ func(trace.Event)) (agent.Reply, error) {
			got = t
			return agent.Reply{}, nil
		})
		whole := func(raw json.RawMessage) error {
			var n int
			if json.Unmarshal(raw, &n) != nil {
				return fmt.Errorf("%s is not a whole number", raw)
			}
			return nil
		}
		checks := map[string]func(json.RawMessage) error{"n": whole}
		cfg.Systems = map[string]system.System{"a": {Contract: system.Contract{Options: []string{"loud"},
			OptionChecks: checks, StateFields: checks}}}
		w := recorded(made(cfg), "POST", chatPath, body)
		if want == "" {
			Expect(w.Code).To(Equal(200), w.Body.String())
			Expect(got.Options).To(Equal(map[string]json.RawMessage{"loud": json.RawMessage("true"),
				"n": json.RawMessage("3")}))
			Expect(got.State).To(Equal(map[string]json.RawMessage{"n": json.RawMessage("4")}))
			return
		}
		Expect(w.Code).To(Equal(400))
		_, said := problemOf(w)
		Expect(said).To(Equal(want))
	},
		Entry("valid options and state are accepted", `{"options":{"loud":true,"n":3},"state":{"n":4}}`, ""),
		Entry("an option or state field that is null counts as absent",
			`{"options":{"loud":true,"n":3,"m":null},"state":{"n":4,"m":null,"coordinates":null}}`, ""),
		Entry("an option with an invalid value is rejected", `{"options":{"n":"x"}}`,
			`options.n: "x" is not a whole number`),
		Entry("an unknown option is rejected", `{"options":{"m":1}}`, "options.m: unknown switch (known: loud, n)"),
		Entry("a state field with an invalid value is rejected", `{"state":{"n":[]}}`,
			"state.n: [] is not a whole number"),
		Entry("an unknown state field is rejected", `{"state":{"m":1}}`, "state.m: unknown key (known: n)"),
		Entry("coordinates are rejected in state, because they belong in maskData", `{"state":{"coordinates":[]}}`,
			"state.coordinates: goes in maskData"),
	)

	It("T10: may use either of two field names for the image of an earlier message, and may contain a timestamp",
		func() {
			Expect(turnOf(`{"history":[{"role":"assistant","content":"好","generatedImageUrl":"https://e.com/a.png","timestamp":1732000000000},
			{"role":"assistant","generated_image_url":"https://e.com/b.png","timestamp":"2026-11-20T00:00:00Z"}]}`).History).To(Equal([]agent.Message{
				{Role: "assistant", Content: "好", GeneratedImageURL: "https://e.com/a.png"},
				{Role: "assistant", GeneratedImageURL: "https://e.com/b.png"}}))
		})

	It("may omit every field or set it to null", func() {
		for _, body := range []string{`{}`,
			` {"text":null,"sessionId":null,"maskData":null,"images":null,"history":null,"documents":null,"options":null}` + "\n"} {
			t := turnOf(body)
			Expect(t.Session).NotTo(BeEmpty())
			t.Session = ""
			Expect(t).To(Equal(agent.Turn{IsPublicAgent: true}))
		}
	})

	It("without a session id starts a new session", func() {
		a, b := turnOf(`{}`).Session, turnOf(`{"sessionId":""}`).Session
		Expect(a).To(MatchRegexp(`^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`))
		Expect(b).NotTo(Equal(a))
	})

	DescribeTable("S8: may contain a mask as base64 or as a data URL", func(mask, want string) {
		raw, err := json.Marshal(mask)
		Expect(err).NotTo(HaveOccurred())
		Expect(turnOf(fmt.Sprintf(`{"maskData":{"base64":%s}}`, raw)).Mask).To(Equal(want))
		Expect(turnOf(fmt.Sprintf(`{"maskData":%s}`, raw)).Mask).To(Equal(want), "or as that alone")
	},
		Entry("a PNG in base64", onePNG, "data:image/png;base64,"+onePNG),
		Entry("a JPEG in base64", oneJPEG, "data:image/jpeg;base64,"+oneJPEG),
		Entry("a PNG as a data URL", "data:image/png;base64,"+onePNG, "data:image/png;base64,"+onePNG),
		Entry("a data URL that declares the wrong image type", "data:image/png;base64,"+oneJPEG,
			"data:image/jpeg;base64,"+oneJPEG),
		Entry("base64 with line breaks", onePNG[:20]+"\r\n"+onePNG[20:]+"\n", "data:image/png;base64,"+onePNG),
	)

	refused := func(body string, status int, code, message string) {
		GinkgoHelper()
		w := recorded(made(only(silent)), "POST", chatPath, body)
		gotCode, gotMessage := problemOf(w)
		Expect(gotMessage).To(Equal(message))
		Expect(gotCode).To(Equal(code))
		Expect(w.Code).To(Equal(status))
	}

	DescribeTable("is rejected with a message that names the error",
		func(body, message string) { refused(body, 400, "BAD_REQUEST", message) },
		Entry("an empty body", ``, "the request ends too early"),
		Entry("a truncated body", `{"text":"a`, "the request ends too early"),
		Entry("a body that is not JSON", `画一只猫`, "malformed JSON: invalid character '画' at start of value at byte 1"),
		Entry("31.7: a document that is not text",
			`{"documents":[{"name":"a"},{"name":"x.pdf","content":"%PDF-1.5 …"}]}`,
			`documents[1]: "x.pdf" is not text: it is application/pdf. Convert it to UTF-8 text`),
		Entry("data after the JSON object", `{} {}`,
			"malformed JSON: invalid character '{' after top-level value at byte 4"),
		Entry("null instead of an object", `null`, "the request must be an object, got null"),
		Entry("a list instead of an object", `[]`, "the request: must be an object, got a list"),
		Entry("a text with invalid UTF-8", "{\"text\":\"\xff\"}", "malformed JSON: invalid UTF-8 at byte 10"),
		Entry("a text with half of a surrogate pair", `{"text":"\ud800"}`,
			"malformed JSON: invalid surrogate pair `\\ud800\"}` in string at byte 10"),
		Entry("a field that occurs twice", `{"text":"a","text":"b"}`, `"text" is given twice`),
		Entry("an option that occurs twice",
			`{"options":{"`+strings.Repeat("x", 50)+`":1,"`+strings.Repeat("x", 50)+`":1}}`,
			`"`+strings.Repeat("x", 40)+`"… is given twice`),
		Entry("an unknown field", `{"txet":"a"}`, "txet: unknown field"),
		Entry("a field name in another letter case", `{"Text":"a"}`, "Text: unknown field"),
		Entry("an unknown nested field", `{"maskData":{"mask":1}}`, "maskData.mask: unknown field"),
		Entry("an unknown field in a list", `{"history":[{"role":"user"},{"time":1}]}`,
			"history[1].time: unknown field"),
		Entry("an unknown field with a name that is not printable", `{"\u0000`+strings.Repeat("好", 1000)+`":1}`,
			`"\x00`+strings.Repeat("好", 39)+`"…: unknown field`),
		Entry("an unknown field whose name is a long number", `{"`+strings.Repeat("1", 1000)+`":1}`,
			`"`+strings.Repeat("1", 40)+`"…: unknown field`),
		Entry("a number instead of a string", `{"text":1}`, "text: must be a string, got a number"),
		Entry("a string instead of a number in a nested object", `{"maskData":{"coordinates":[{"x":"1"}]}}`,
			"maskData.coordinates[0].x: must be a number, got a string"),
		Entry("a number as the base64 of a mask", `{"maskData":{"base64":5}}`,
			"maskData.base64: must be a string, got a number"),
		Entry("a list as the base64 of a mask", `{"maskData":{"base64":["AAAA"]}}`,
			"maskData.base64: must be a string, got a list"),
		Entry("a number instead of maskData", `{"maskData":5}`, "maskData: must be an object, got a number"),
		Entry("a list instead of maskData", `{"maskData":[{}]}`, "maskData: must be an object, got a list"),
		Entry("a boolean as the session id", `{"sessionId":true}`, "sessionId: must be a string, got a boolean"),
		Entry("an object as the content of a message", `{"history":[{"content":{}}]}`,
			"history[0].content: must be a string, got an object"),
		Entry("a string instead of a message in the history", `{"history":["hi"]}`,
			"history[0]: must be an object, got a string"),
		Entry("a string instead of a list of images", `{"images":"https://e.com/1.png"}`,
			"images: must be a list, got a string"),
		Entry("a list instead of the object of options", `{"options":[]}`, "options: must be an object, got a list"),
		Entry("a number that exceeds the range of float64", `{"maskData":{"coordinates":[{"x":1e999}]}}`,
			"maskData.coordinates[0].x: the number is too large"),
		Entry("a point without y", `{"maskData":{"base64":"`+onePNG+`","coordinates":[{"x":1}]}}`,
			"maskData.coordinates[0]: requires x and y"),
		Entry("null instead of a point", `{"maskData":{"base64":"`+onePNG+`","coordinates":[null]}}`,
			"maskData.coordinates[0]: requires x and y"),
		Entry("an unknown role of a message", `{"history":[{"role":"bot"}]}`,
			`history[0].role: "bot" is not user, assistant or system`),
		Entry("a session id with a space", `{"sessionId":"a b"}`,
			`sessionId: "a b" is not up to 128 visible ASCII characters`),
		Entry("a session id with a line break", `{"sessionId":"a\r\nX: 1"}`,
			`sessionId: "a\r\nX: 1" is not up to 128 visible ASCII characters`),
		Entry("a session id of 129 bytes", `{"sessionId":"`+strings.Repeat("s", 129)+`"}`,
			`sessionId: "`+strings.Repeat("s", 40)+`"… is not up to 128 visible ASCII characters`),
	)

	const noImage = "is neither an http(s) URL nor a base64 data URL of an image"
	DescribeTable("is rejected if a field that contains images has an invalid one",
		func(url, message string) {
			raw, err := json.Marshal(url)
			Expect(err).NotTo(HaveOccurred())
			refused(fmt.Sprintf(`{"images":["http://e.com",%s]}`, raw), 400, "BAD_REQUEST", "images[1]: "+message)
			refused(fmt.Sprintf(`{"history":[{"role":"user","images":[%s]}]}`, raw), 400, "BAD_REQUEST",
				"history[0].images[0]: "+message)
			if url != "" { // the empty URL means no image here
				for _, name := range []string{"generated_image_url", "generatedImageUrl"} {
					refused(fmt.Sprintf(`{"history":[{"role":"user",%q:%s}]}`, name, raw), 400, "BAD_REQUEST",
						"history[0]."+name+": "+message)
				}
				refused(fmt.Sprintf(`{"maskData":{"base64":"%s","imageUrl":%s}}`, onePNG, raw), 400, "BAD_REQUEST",
					"maskData.imageUrl: "+message)
			}
		},
		Entry(nil, "", `"" `+noImage),
		Entry(nil, "cat.png", `"cat.png" `+noImage),
		Entry(nil, "https:///cat.png", `"https:///cat.png" `+noImage),
		Entry(nil, "file:///etc/passwd", `"file:///etc/passwd" `+noImage),
		Entry(nil, "javascript:alert(1)", `"javascript:alert(1)" `+noImage),
		Entry(nil, "http://[", `"http://[" `+noImage),
		Entry(nil, "data:text/html;base64,AAAA", `"data:text/html;base64,AAAA" `+noImage),
		Entry(nil, "data:image/svg+xml,<svg/>", `"data:image/svg+xml,<svg/>" `+noImage),
		Entry(nil, "data:image/png;base64,", "the data URL's base64 is empty or broken"),
		Entry("a data URL whose data are not an image", "data:image/png;base64,AAAA",
			"the data URL has no picture but application/octet-stream"),
		Entry("a data URL with text as its data", "data:image/jpeg;base64,aGVsbG8=",
			"the data URL has no picture but text/plain; charset=utf-8"),
		Entry(nil, "data:image/png;base64,AAA", "the data URL's base64 is empty or broken"),
	)

	DescribeTable("S8: may contain an invalid mask, which the agent reports to its user", func(mask, want string) {
		raw, err := json.Marshal(mask)
		Expect(err).NotTo(HaveOccurred())
		Expect(turnOf(fmt.Sprintf(`{"maskData":{"base64":%s}}`, raw)).Mask).To(Equal("data:image/" + want))
		Expect(turnOf(fmt.Sprintf(`{"maskData":%s}`, raw)).Mask).To(Equal("data:image/" + want))
	},
		Entry("an empty mask", "", "png;base64,"),
		Entry("the data URL of an empty drawing", "data:,", "png;base64,"),
		Entry(nil, "*", "png;base64,*"),
		Entry(nil, "AAA", "png;base64,AAA"),
		Entry("a GIF image", "R0lGODlhAQABAAAAACw=", "gif;base64,R0lGODlhAQABAAAAACw="),
		Entry("half of a PNG image", onePNG[:24], "png;base64,"+onePNG[:24]),
		Entry("two concatenated PNG images", onePNG+onePNG, "png;base64,"+onePNG+onePNG),
		Entry("a text instead of an image", "data:text/plain;base64,aGVsbG8=", "png;base64,aGVsbG8="),
	)

	It("S8: may contain maskData without a mask", func() {
		for _, body := range []string{`{"maskData":{}}`, `{"maskData":{"base64":null}}`,
			`{"maskData":{"imageUrl":"https://e.com/1.png"}}`} {
			Expect(turnOf(body).Mask).To(Equal("data:image/png;base64,"), body)
		}
	})

	DescribeTable("must have the content type application/json", func(contentType string, want int) {
		r := httptest.NewRequest("POST", chatPath, strings.NewReader(`{}`))
		r.Header.Set("Content-Type", contentType)
		w := httptest.NewRecorder()
		made(only(silent)).ServeHTTP(w, r)
		Expect(w.Code).To(Equal(want))
		if want != 200 {
			code, _ := problemOf(w)
			Expect(code).To(Equal("UNSUPPORTED_MEDIA_TYPE"))
		}
	},
		Entry(nil, "application/json", 200),
		Entry(nil, "application/json; charset=utf-8", 200),
		Entry(nil, "Application/JSON", 200),
		Entry(nil, "", 415),
		Entry(nil, "text/plain", 415),
		Entry(nil, "application/jsonp", 415),
		Entry(nil, "multipart/form-data; boundary=x", 415),
		Entry(nil, ";;", 415),
	)

	It("may have MaxBody bytes but not one more", func() {
		cfg := only(silent)
		cfg.MaxBody = 100
		body := func(size int) string { return `{"text":"` + strings.Repeat("a", size-11) + `"}` }
		Expect(recorded(made(cfg), "POST", chatPath, body(100)).Code).To(Equal(200))
		w := recorded(made(cfg), "POST", chatPath, body(101))
		Expect(w.Code).To(Equal(413))
		code, message := problemOf(w)
		Expect(code).To(Equal("TOO_LARGE"))
		Expect(message).To(Equal("the request has more than 100 bytes"))
	})

	It("is rejected without reading its body if the announced length is too large", func() {
		endless := &endless{text: []byte("a")}
		r := httptest.NewRequest("POST", chatPath, endless)
		r.Header.Set("Content-Type", "application/json")
		r.ContentLength = service.DefaultMaxBody + 1
		w := httptest.NewRecorder()
		made(only(silent)).ServeHTTP(w, r)
		Expect(w.Code).To(Equal(413))
		Expect(endless.read).To(BeZero())
	})

	It("is read only up to MaxBody bytes if it announces no length", func() {
		endless := &endless{text: bytes.Repeat([]byte("a"), 1<<10)}
		r := httptest.NewRequest("POST", chatPath, io.MultiReader(strings.NewReader(`{"text":"`), endless))
		r.Header.Set("Content-Type", "application/json")
		Expect(r.ContentLength).To(BeEquivalentTo(-1))
		w := httptest.NewRecorder()
		made(only(silent)).ServeHTTP(w, r)
		Expect(w.Code).To(Equal(413))
		Expect(endless.read).To(BeNumerically("~", service.DefaultMaxBody, 2<<10))
	})
})

type endless struct {
	text []byte
	read int
}

func (e *endless) Read(b []byte) (int, error) {
	n := copy(b, e.text)
	e.read += n
	return n, nil
}
