package companion_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"evalctl/agent/companion"
	"evalctl/agent/dates"
	"evalctl/agent/llm"
)

func FuzzAnswer(f *testing.F) {
	for _, params := range []string{`null`, `{"date":"yesterday","keywords":["火锅"]}`, `{"date":20261101}`,
		`{"date_range":{"from":"2026-11-03","to":"2026-11-01"}}`,
		`{"date":"2024-02-30","keywords":"火锅、重庆"}`, `{"date":"上上周三","date_range":{"from":1}}`, `[]`, `"昨天"`} {
		f.Add(routerReply("KNOWLEDGE_QUERY", 0.9, params), "前天说的火锅店在哪")
	}
	f.Add("```json\n{\"intent\":\"NORMAL_CHAT\",\"confidence\":1}", "2024-02-30")
	f.Add(`{"intent":"KNOWLEDGE_QUERY","confidence":NaN}`, "")
	f.Fuzz(func(t *testing.T, answer, message string) {
		date, words, err := companion.ReadAnswer(answer, message, noon)
		if err != nil {
			return
		}
		again, err := dates.Parse(date, noon)
		if err != nil || again.String() != date {
			t.Errorf("the date %q reads as %q, %v", date, again, err)
		}
		if len(words) > 8 {
			t.Errorf("%d words", len(words))
		}
		for _, w := range words {
			if strings.TrimSpace(w) == "" || utf8.RuneCountInString(w) > 40 {
				t.Errorf("word %q", w)
			}
		}
	})
}

func FuzzReplies(f *testing.F) {
	for _, answer := range []string{hello, `{"replies":["在呢",{"content":"怎么啦","send_delay_seconds":99}]}`,
		`{"replies":[{"content":null}]}`, `{"replies":[]}`,
		`{"replies":[{"content":"在","send_delay_seconds":1e999}]}`, `{"replies":[null,5,[]]}`,
		`{"replies":{"content":"在"}}`, "我在呢", `{"replies":[{"content":"在`} {
		f.Add(answer)
	}
	f.Fuzz(func(t *testing.T, answer string) {
		said, err := companion.ReadReplies(answer)
		var field *llm.FieldError
		if err != nil {
			if !errors.As(err, &field) && llm.KindOf(err) != llm.KindEmptyContent {
				t.Errorf("error %v", err)
			}
			return
		}
		if len(said) == 0 || len(said) > 20 {
			t.Errorf("%d messages", len(said))
		}
		for _, s := range said {
			if strings.TrimSpace(s.Content) == "" || !(s.DelaySeconds >= 0 && s.DelaySeconds <= 10) {
				t.Errorf("message %q after %v", s.Content, s.DelaySeconds)
			}
			if _, err := json.Marshal(s); err != nil {
				t.Error(err)
			}
		}
	})
}
