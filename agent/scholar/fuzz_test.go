package scholar_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"evalctl/agent/scholar"
)

func FuzzVerdict(f *testing.F) {
	for _, s := range []string{decision(qa), "```json\n{'intent':'simple_interaction',}\n```", `{"intent":"QA"}`,
		`{"intent":"PAPER_REVIEW","confidence":1e999}`, "<think>{", ""} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, answer string) {
		intent, err := scholar.ReadVerdict(answer)
		if err == nil && !slices.Contains(scholar.System().Contract.Labels, intent) {
			t.Fatalf("%q is not an intent", intent)
		}
	})
}

func FuzzThoughts(f *testing.F) {
	f.Add("<think>a</think>b", 3)
	f.Add("a<thi", 1)
	f.Add("</think><think><think>", 2)
	f.Fuzz(func(t *testing.T, whole string, size int) {
		var chunks []string
		for size = max(1, min(size, 1000)); len(whole) > size; whole = whole[size:] {
			chunks = append(chunks, whole[:size])
		}
		chunks = append(chunks, whole)
		said, thought := scholar.SplitStream(chunks...)
		oneSaid, oneThought := scholar.SplitStream(strings.Join(chunks, ""))
		if thought != oneThought || strings.TrimSpace(said) != strings.TrimSpace(oneSaid) {
			t.Fatalf("in pieces: %q, %q; at once: %q, %q", said, thought, oneSaid, oneThought)
		}
	})
}

func FuzzReadable(f *testing.F) {
	for _, s := range []string{"\x00a\r\nb\tc", "\xff\xfe", "标题\u0085", "\uFEFF# a"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		got := scholar.Readable(raw)
		bad := func(r rune) bool { return r != '\n' && r != '\t' && (unicode.IsControl(r) || r == utf8.RuneError) }
		if !utf8.ValidString(got) || strings.ContainsFunc(got, bad) || scholar.Readable(got) != got {
			t.Fatalf("%q reads as %q", raw, got)
		}
	})
}

func FuzzParams(f *testing.F) {
	f.Add(`{"recall_top_n":3,"web_search":true}`)
	f.Add(`{"openai_api_base":"http://[::1","mode_type":null}`)
	f.Fuzz(func(t *testing.T, options string) {
		var all map[string]json.RawMessage
		if json.Unmarshal([]byte(options), &all) != nil {
			return
		}
		_, err := scholar.ReadParams(all)
		for name, raw := range all {
			if check := scholar.System().Contract.OptionChecks[name]; check != nil && check(raw) != nil && err == nil {
				t.Fatalf("%s: the check refuses what is taken: %s", name, raw)
			}
		}
	})
}
