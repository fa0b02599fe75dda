package datasets_test

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"evalctl/agent"
	"evalctl/datasets"
	"evalctl/eval"
)

// FuzzCase checks that arbitrary input is decoded without a panic, and that errors have one line. A
// decoded case that is written in the full form must decode to the same case.
func FuzzCase(f *testing.F) {
	for _, line := range []string{
		`{"id":"a","text":"画只猫","label":["image_gen","chat"],"lang":"zh","ok":true,"now":"2026-11-20T10:00:00+08:00"}`,
		`{"id":"a","input":{"text":"x","history":[{"role":"user","content":"y"}],"images":["https://a/b"],"mask":null,"state":{"n":[1,{}]}},"expect":{"route":"chat","under_fault":{"image:timeout":"chat"}},"tags":["zh"],"split":"test"}`,
		`{"id":"a","turns":[{"input":{"text":"x","options":{"agent":false}}},{"input":{"text":"x"},"expect":{"route":"chat","answered_by":["chat"]}}]}`,
		`{"id":"a","text":"x","label":"chat","now":"0001-01-01T00:00:00Z"}`,
		`{"id":"\ud83d\ude00","text":"\u0000","label":"ch\u0061t"}`,
		`null`, `{"id":"a","text":"x",`, "{\"id\":\"\xff\"}",
	} {
		f.Add([]byte(line))
	}
	fuzz(f, schema())
}

// FuzzStudioCase checks the same as FuzzCase for cases of the system studio, which have slots,
// styles and images.
func FuzzStudioCase(f *testing.F) {
	for _, line := range []string{
		`{"id":"a","text":"","label":"unknown"}`,
		studioCase(`{"action":["inpainting","unknown"],"answered_by":["failed","busy"],"under_fault":{"image:server_error@2":"failed"}}`),
		studioCase(`{"action":"generate_image","slots":{"subject":["猫","cat"],"style":""},"styles":["ink-wash"],"images":[{"description":"猫","quality":0.9,"acceptable":true}]}`),
		studioImages(`[{"description":"猫","quality":1e400,"acceptable":true}]`),
		studioCase(`{"action":"unknown","slots":{"style":[null]},"styles":[[]]}`),
		turns(`,"session":"s1"`, `,"session":"s1","after":"31m","mask":"data:image/png;base64,"`),
		turns(`,"after":"1ns"`, `,"after":"9999999h"`),
	} {
		f.Add([]byte(line))
	}
	fuzz(f, schemaOf("studio"))
}

func fuzz(f *testing.F, schema datasets.Schema) {
	f.Fuzz(func(t *testing.T, line []byte) {
		c, err := schema.ParseCase(line)
		if err != nil {
			if strings.ContainsAny(err.Error(), "\n\r") {
				t.Fatalf("%q: a message of several lines: %q", line, err)
			}
			return
		}
		once := fullForm(t, c)
		again, err := schema.ParseCase(once)
		if err != nil {
			t.Fatalf("%q, written as %s: %v", line, once, err)
		}
		if twice := fullForm(t, again); !bytes.Equal(once, twice) || !same(c, again) {
			t.Fatalf("%q: %s became %s", line, once, twice)
		}
	})
}

func same(a, b eval.Case) bool {
	return a.ID == b.ID && a.Split == b.Split && a.Now.Equal(b.Now) && slices.Equal(a.Tags, b.Tags) &&
		slices.EqualFunc(a.Turns, b.Turns, func(x, y eval.LabeledTurn) bool {
			return x.Text == y.Text && x.Session == y.Session && x.Delay == y.Delay &&
				(x.Expected == nil) == (y.Expected == nil)
		})
}

// fullForm writes a case as a line in the full form.
func fullForm(tb testing.TB, c eval.Case) []byte {
	type turn struct {
		Input  agent.Turn      `json:"input"`
		Expect json.RawMessage `json:"expect,omitempty"`
	}
	full := struct {
		ID    string    `json:"id"`
		Turns []turn    `json:"turns"`
		Now   time.Time `json:"now,omitzero"`
		Tags  []string  `json:"tags,omitempty"`
		Split string    `json:"split,omitempty"`
	}{ID: c.ID, Now: c.Now, Tags: c.Tags, Split: c.Split}
	for _, s := range c.Turns {
		full.Turns = append(full.Turns, turn{s.Turn, s.Expected})
	}
	line, err := json.Marshal(full)
	if err != nil {
		tb.Fatal(err)
	}
	return line
}
