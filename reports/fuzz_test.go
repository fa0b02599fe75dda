package reports_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"evalctl/agent/trace"
	"evalctl/eval"
	"evalctl/reports"
	"evalctl/reports/document"
)

func FuzzParseFormat(f *testing.F) {
	for _, seed := range []string{"table", "json=x", "csv=", "=", "xml", "markdown=a=b"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		format, path, err := reports.ParseFormat(text)
		if err != nil {
			return
		}
		back := string(format)
		if path != "" {
			back += "=" + path
		}
		if !slices.Contains(reports.Formats(), format) || back != text {
			t.Errorf("ParseFormat(%q) = %q, %q", text, format, path)
		}
	})
}

func FuzzTimeline(f *testing.F) {
	f.Add("\x1b[2J你好\n\n…", "a\xff\u202eb", 61)
	f.Fuzz(func(t *testing.T, question, answer string, width int) {
		r := trial()
		r.Outcome.Turns[0].Input.Text, r.Outcome.Turns[0].Reply.Content = question, answer
		r.Outcome.Turns[0].Events[0].Span.Message = answer
		data, err := json.Marshal(map[string]any{"widgetType": answer, "code": answer, "message": question,
			"props": map[string]any{"imageUrl": question, "text": answer,
				"actions": []any{map[string]string{"label": answer}}}})
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range []json.RawMessage{data, json.RawMessage(answer)} {
			r.Outcome.Turns[0].Events = append(r.Outcome.Turns[0].Events, component(0, string(d)), failure(d))
		}
		r.Outcome.Turns[0].Events = append(r.Outcome.Turns[0].Events, decidedBy(answer))
		r.Text, r.Scores = question,
			[]eval.Score{{Name: answer, Verdict: eval.Fail, Reason: question, Actual: answer,
				Expected: eval.OneOf{question}},
				{Name: eval.RouteScore, Verdict: eval.Fail, Turn: 1, Reason: question, Actual: answer,
					Expected: eval.OneOf{question}}}
		var out strings.Builder
		if err := (reports.TrialReport{Trial: r, Options: document.Options{Width: width}}).Write(&out); err != nil {
			t.Fatal(err)
		}
		r.Case, r.Variant, r.DecidedBy, r.Correct = answer, question, answer, new(false)
		if err := (reports.FailedTrials{Dir: question, Wrong: []eval.Result{r}, WrongCount: 1, Trials: 1,
			Options: document.Options{Width: width}}).Write(&out); err != nil {
			t.Fatal(err)
		}
		if strings.ContainsAny(out.String(), "\x1b\r\x07\u009b\u202e") {
			t.Errorf("something steers the terminal in %q", out.String())
		}
	})
}

// decidedBy returns the event of a decision for which the model returned the given text.
func decidedBy(answer string) trace.Event {
	return trace.Event{Kind: trace.KindRoute, Node: answer, To: "chat", Data: trace.RawAnswerData(answer)}
}
