package studio_test

import (
	"context"
	"strings"
	"testing"

	. "github.com/onsi/gomega"

	"evalctl/agent"
	"evalctl/agent/clock"
	"evalctl/agent/studio"
	"evalctl/mocks/model"
)

// FuzzCheckMask searches for a mask with which the check panics.
func FuzzCheckMask(f *testing.F) {
	for _, seed := range []string{"", mask(1), mask(1)[:90], "data:image/jpeg;base64,/9j/4AAQ",
		"data:image/png;base64,iVBORw0KGgo="} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, m string) {
		first, second := studio.CheckMask(m), studio.CheckMask(m)
		if (first == nil) != (second == nil) {
			t.Errorf("%q: %v, then %v", m, first, second)
		}
	})
}

// FuzzTurn searches for a text and an answer of the planner that lead to events in a wrong order.
func FuzzTurn(f *testing.F) {
	f.Add("", "", false, false)
	f.Add(wish, planV2("generate_image", 0.9), false, false)
	f.Add("调整这里", planV1("inpainting"), true, true)
	f.Add("1️⃣", "不是 generate_image", false, true)
	f.Add("\xff", `{"action":"unknown","confidence":1e400}`, true, false)
	f.Fuzz(func(t *testing.T, text, answer string, masked, first bool) {
		RegisterTestingT(t)
		profile := studio.ProfileV2
		if first {
			profile = studio.ProfileV1
		}
		s := newStage(profile, "")
		s.plan = func(model.Request) string { return answer }
		turn := agent.Turn{Text: text}
		if masked {
			turn.Mask, turn.Images = mask(1), []string{canvas}
		}
		a := s.open()
		err := clock.RunSimulated(context.Background(), noon, func(ctx context.Context) error {
			_, err := s.answer(ctx, a, turn)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	})
}

// FuzzVerdict searches for an answer of the critic that causes an error, or passes an image in
// spite of a low score.
func FuzzVerdict(f *testing.F) {
	f.Add(verdict(0.9, true))
	f.Add(`{"passed":false,"score":"0.1","feedback":["不像"],"suggestions":"重新生成"}`)
	f.Add(`{"score":0.9,"suggestions":[{"a":1},null,"\u200b"]}`)
	f.Fuzz(func(t *testing.T, answer string) {
		RegisterTestingT(t)
		s := reviewed(studio.ProfileV2, studio.CriticLLM, func(model.Request) string { return answer })
		s.runText(wish)
		for _, r := range reviews(s) {
			if r.Reviewer == "llm" && r.Passed != (r.Score > 0.7) || !(r.Score >= 0 && r.Score <= 1) {
				t.Errorf("%q: %+v", answer, r)
			}
		}
	})
}

// FuzzStyles searches for a text in which too many style names are found, or names that it does not
// contain.
func FuzzStyles(f *testing.F) {
	for _, seed := range []string{"水墨和工笔", "ink wash and gongbi", "和风、", "Q版 B&W 8-bit", "\xff和\xff",
		"ſtudio Ghibli İ"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		names := studio.SplitStyleNames(text)
		if len(names) > 3 {
			t.Errorf("%q: %q", text, names)
		}
		for _, name := range append(names, studio.MentionedStyles(text)...) {
			if name == "" || !strings.Contains(studio.FoldWords(text), studio.FoldWords(name)) {
				t.Errorf("%q: %q", text, name)
			}
		}
	})
}
