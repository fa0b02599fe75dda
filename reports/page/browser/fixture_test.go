package browser_test

import (
	"fmt"

	"evalctl/reports/page"
)

const manyCases = 230

const anImage = "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAUAAAAFCAYAAACNbyblAAAAHElEQVQI12P4//8/w38GIAXDIBKE0DHxgljNBAAO9TXL0Y4OHwAAAABJRU5ErkJggg=="

// data contains the parts of a report page's data before compression.
type data struct {
	meta   page.Meta
	trials []page.Trials
	texts  []page.Texts
	blocks []page.Block

	prompts page.Prompts
}

// parts returns the content of each part by its name.
func (d data) parts() map[string]any {
	parts := map[string]any{"meta": d.meta, "prompts": d.prompts}
	for i := range d.trials {
		parts[fmt.Sprintf("t%d", i)], parts[fmt.Sprintf("s%d", i)] = d.trials[i], d.texts[i]
	}
	for i := range d.blocks {
		parts[fmt.Sprintf("b%d", i)] = d.blocks[i]
	}
	return parts
}

// report returns the data of a run with two suites. In router, each case has one decision, in three
// conditions. In studio, each case has three epochs of a conversation with images and paths.
func report() data {
	router, routerTrials, routerTexts, routerBlock := routerSuite()
	studio, studioTrials, studioTexts, studioBlock := studioSuite()
	return data{
		meta: page.Meta{
			Version: page.Version, Dir: "runs/it's here", BaselinePath: "runs/before", Traced: 30,
			Trials: 3*manyCases + 12,
			Suites: []page.Suite{router, studio},
		},
		trials: []page.Trials{routerTrials, studioTrials},
		texts:  []page.Texts{routerTexts, studioTexts},
		blocks: []page.Block{routerBlock, studioBlock},

		prompts: page.Prompts{"0123456789ab": {Text: "You route messages.", OmittedChars: 9}},
	}
}

// routerSuite returns the data of the suite router. Variant "rules" predicts chat instead of the
// right label in every third case. Variant "llm" does so in every tenth search case, and never
// answers under a fault.
func routerSuite() (s page.Suite, t page.Trials, x page.Texts, b page.Block) {
	s = page.Suite{
		Name: "router", Target: "toolrouter", BaselineVariant: "rules", Epochs: 1,
		Conditions: []page.Condition{{Variant: "rules", Fault: "none"}, {Variant: "llm", Fault: "none"},
			{Variant: "llm", Fault: "search:timeout"}},
		Labels: []string{"chat", "search", "image"}, AcceptedLabelSets: [][]int{{0}, {1}, {2, 0}},
		Sources:  []string{"rules", "llm"},
		Failures: []string{"TIMED_OUT"}, Tags: []string{"zh", "en"},
	}
	t.Conditions = make([]page.Columns, 3)
	b.Cases = map[int]page.Case{}
	for i := range manyCases {
		s.Cases = append(s.Cases, fmt.Sprintf("tr-%03d", i+1))
		x.TurnCounts = append(x.TurnCounts, 1)
		x.CaseTexts = append(x.CaseTexts, fmt.Sprintf("搜一下 number %d, would you?", i+1))
		t.Tags = append(t.Tags, []int{i % 2})
		s.Blocks = append(s.Blocks, -1)
		routerCase(&t, i)
		if i < 10 {
			s.Blocks[i] = 0
			b.Cases[i] = page.Case{Inputs: []page.Input{{Text: x.CaseTexts[i],
				History: []page.Message{{Role: "user", Text: "你好"}, {Role: "assistant", Text: "Hello."}}}},
				Trials: []page.Trial{routerTrial(0, "The rules say: chat number one."),
					routerTrial(1, "The model says: search number one."), routerTrial(2, "")}}
		}
	}
	return s, t, x, b
}

func routerCase(t *page.Trials, i int) {
	expected, wrong := i%3, map[bool]int{true: 2, false: 1}
	rules, llm := i%3 == 1, i%30 == 1 || i == 3 // whether each variant is wrong
	got := func(wrong bool) int {
		if wrong {
			return (expected + 2) % 3
		}
		return expected
	}
	add := func(c *page.Columns, decided, verdict, duration, source int) {
		c.Predicted, c.Expected, c.Verdict = append(c.Predicted, decided), append(c.Expected, expected),
			append(c.Verdict, verdict)
		c.Duration, c.Source = append(c.Duration, duration), append(c.Source, source)
		c.BaselineVerdict, c.BaselinePredicted = append(c.BaselineVerdict, 1+i%2), append(c.BaselinePredicted, expected)
		c.BaselineRight, c.BaselineScored = append(c.BaselineRight, 1-i%2), append(c.BaselineScored, 1)
	}
	add(&t.Conditions[0], got(rules), wrong[rules], 1000*(100+i), 0)
	add(&t.Conditions[1], got(llm), wrong[llm], 1000*(5000-i), 1)
	t.Conditions[1].Confidence = append(t.Conditions[1].Confidence, 60+i%40)
	t.Conditions[1].Cost = append(t.Conditions[1].Cost, 1000*(i%200))
	add(&t.Conditions[2], -1, 0, 12_000_000, 1)
	t.Conditions[2].Failure, t.Conditions[2].FaultOutcome = append(t.Conditions[2].Failure, 0),
		append(t.Conditions[2].FaultOutcome, 4)
	t.Conditions[2].Fallbacks = append(t.Conditions[2].Fallbacks, 2)
}

func routerTrial(condition int, reply string) page.Trial {
	turn := page.Turn{Duration: float64(2000 * (1 + condition)), Reply: reply,
		Facts: []page.Pair{{Name: "decided", Value: "search by llm, confidence 0.62"}}, Events: []page.Event{
			{At: 0, Duration: 762, Node: "router", Kind: "call",
				Call: &page.Call{Model: "deepseek/deepseek-chat", InputTokens: 429, OutputTokens: 26,
					Messages: []page.SentMessage{{Role: "system", Prompt: "0123456789ab"},
						{Role: "user", Text: "who won"}}},
				Answer: `{"route":"search","confidence":0.62}`, Decides: true},
			{At: 762, Node: "router", Text: "route search (llm)", Kind: "mark"},
			{At: 800, Node: "router", Text: "thinks about it", Kind: "mark", Minor: true},
			{At: 900, Duration: 600, RepeatStarts: []float64{1100, 1300, 1500}, Node: "image",
				Kind: "call", Call: &page.Call{Model: "dashscope/qwen-image-plus", Images: 1}},
			{At: 1600, Node: "search", Text: "fallback search → chat (timeout)", Kind: "failed"},
			{At: 2000, Text: "done, 53 characters", Kind: "mark"},
		}}
	scores := []page.Score{{Name: "route", Turn: 1, Verdict: 2, Got: "chat", Expected: "search"},
		{Name: "latency", Verdict: 0, Value: "2.00 s"}}
	if reply == "" {
		turn.ErrorReply = "TIMED_OUT"
	}
	turn.Decision = &page.Decision{Predicted: "chat", Expected: "search", Verdict: 2, Confidence: "0.62"}
	return page.Trial{Condition: condition, Epoch: 1, DecidingTurn: 1, Turns: []page.Turn{turn}, Scores: scores,
		InputTokens: 1656, OutputTokens: 129, Cost: "USD 0.00047", Calls: 2}
}

// studioSuite returns the data of the suite studio, with two cases and two variants.
func studioSuite() (s page.Suite, t page.Trials, x page.Texts, b page.Block) {
	s = page.Suite{
		Name: "studio/2", Target: "studio", BaselineVariant: "v1", Epochs: 3,
		Conditions: []page.Condition{{Variant: "v1", Fault: "none"}, {Variant: "v2", Fault: "none"}},
		Labels:     []string{"draw", "write"}, AcceptedLabelSets: [][]int{{0}, {1}},
		Cases: []string{"st-1", "st-2"}, Blocks: []int{1, 1},
	}
	x = page.Texts{TurnCounts: []int{2, 2}, CaseTexts: []string{"一只戴围巾的柴犬 背景虚化", "写一篇稿子"}}
	t.Conditions = []page.Columns{
		{Predicted: []int{0, 1, 0, 1, 1, 1}, Expected: []int{0, 0, 0, 1, 1, 1}, Verdict: []int{1, 2, 1, 1, 1, 1},
			Duration: []int{10_000, 20_000, 30_000, 40_000, 50_000, 60_000}},
		{Predicted: []int{0, 0, 0, 1, -1, 1}, Expected: []int{0, 0, 0, 1, 1, 1}, Verdict: []int{1, 1, 1, 1, 0, 1},
			Duration: []int{11_000, 21_000, 31_000, 41_000, 51_000, 61_000}},
	}
	b = page.Block{Suite: 1, Cases: map[int]page.Case{}}
	for i := range 2 {
		c := page.Case{Inputs: []page.Input{{Text: x.CaseTexts[i],
			Images:  []string{anImage, "https://example.com/a.png"},
			Details: []page.Pair{{Name: "session", Value: "s1"}}}, {Text: "再来一张", OmittedChars: 1200}}}
		for condition := range 2 {
			for epoch := 1; epoch <= 3; epoch++ {
				c.Trials = append(c.Trials, studioTrial(condition, epoch))
			}
		}
		b.Cases[i] = c
	}
	return s, t, x, b
}

func studioTrial(condition, epoch int) page.Trial {
	call := func(at, ms, first float64) []page.Event {
		return []page.Event{{At: at, Duration: ms, Node: "writer", Kind: "call",
			Call: &page.Call{Model: "ark/doubao", FirstToken: first}}}
	}
	decision := &page.Decision{Predicted: "draw", Expected: "draw", Verdict: 1}
	if condition == 0 && epoch == 2 {
		decision = &page.Decision{Predicted: "write", Expected: "draw", Verdict: 2, Confidence: "0.52"}
	}
	reply := fmt.Sprintf("画好了，第 %d 张，%s。", epoch, []string{"主体明确", "风格到位"}[condition])
	return page.Trial{Condition: condition, Epoch: epoch, InputTokens: 10, OutputTokens: 20, Calls: 3,
		DecidingTurn: 1, Turns: []page.Turn{{Duration: 480, Decision: decision, Events: call(0, 400, 0), Reply: reply,
			Images: []string{anImage, "data:image/svg+xml;base64,AAAA"}, Steps: []page.Step{
				{Executed: "Researcher", DecidedBy: "llm", Reason: "needs sources", At: 480},
				{Proposed: "END", Executed: "Writer", DecidedBy: "precondition", Reason: "end_rejected", At: 900},
				{Proposed: "END", DecidedBy: "precondition", Reason: "end_rejected"},
				{Proposed: "END", DecidedBy: "precondition", Reason: "end_rejected"},
				{Executed: "END", DecidedBy: "llm"},
			}},
			{Duration: 900, Events: call(0, 800, 300), Reply: "", Messages: []string{"好的。", "这就来。"}},
		}}
}
