package scholar

import (
	"fmt"
	"regexp"
	"strings"

	"evalctl/agent/cache"
	"evalctl/agent/system"
	"evalctl/agent/trace"
)

// System is the scholar's declaration.
func System() system.System {
	return system.System{
		Name:  "scholar",
		Short: "answers about papers: summaries, surveys, reviews and questions, over whole texts, summaries or passages",
		Examples: []string{
			"run --target scholar --dataset scholar --split test --vector-weight 0,0.3,1",
			"run scholar --fault retrieval:timeout,cache:server_error",
			"chat scholar --papers ./papers",
			"serve scholar --summary-cache redis://127.0.0.1:6379",
		},
		Contract: contract(),
		Parts:    parts(),
		Settings: settings(),
		Sources:  []string{byModel, byMode, byGate},
		Scoped:   true,
		Guess:    guess,
		Events:   map[trace.Kind]string{trace.KindChunk: "answer_chunk", trace.KindDone: "final_answer"},
		Open:     open,
	}
}

func contract() system.Contract {
	return system.Contract{
		Field:     "intent",
		Labels:    intents(),
		Served:    []string{failed},
		Options:   []string{webSwitch, refreshSwitch, thinkingSwitch},
		Params:    paramChecks(),
		Aspects:   []string{"strategy", "targets"},
		Facts:     "facts",
		Remembers: "retained_facts",
		Finds:     "evidence",
		FindsAll:  true,
		FoundAs:   passageOf,
		State:     stateChecks(),
		Values:    map[string]func([]string) error{"evidence": checkEvidence, "strategy": checkStrategies},
		Fits:      fitting,
	}
}

func parts() []system.Part {
	return []system.Part{
		{Name: "router", Work: system.Decides, Node: intentNode, Recognise: speaksOf(literatureQA)},
		{Name: "sub_questions", Work: system.Writes, Node: questionNode, Says: saysQuestions, Recognise: speaksOf(`"sub_questions"`)},
		{Name: "summary", Work: system.Talks, Node: summaryNode, Says: saysSummary, Recognise: speaksOf("压缩总结，供之后与其他文献")},
		{Name: "report", Work: system.Talks, Node: reportNode, Says: saysReport, Recognise: speaksOf("份分组报告，供之后合并")},
		{Name: "answer", Work: system.Talks, Node: answerNode, Says: saysAnswer, Recognise: headingLine.MatchString},
		{Name: "chat", Work: system.Talks, Node: simpleNode, Says: saysChat, Recognise: speaksOf("学术文献助手，正在和用户对话")},
		{Name: "compression", Work: system.Talks, Node: compressionNode, Says: saysCompression, Recognise: speaksOf("压缩成一份对话摘要")},
		{Name: "retrieval", Work: system.Recalls, Node: recallNode, Corpus: corpus, CorpusBy: []string{"papers", "retrieval-datasets"}},
		{Name: "search", Work: system.Browses, Node: searchNode, Used: system.Unless("search")},
		{Name: "cache", Work: system.Keeps, Node: cacheNode, Free: cache.Provider, Local: keptIn},
		{Name: "grader", Work: system.Grades, Node: graderNode, Says: saysGrades, Recognise: speaksOf(`"stated"`)},
	}
}

// speaksOf knows a prompt by words that no other has.
func speaksOf(words string) func(string) bool {
	return func(prompt string) bool { return strings.Contains(prompt, words) }
}

// keptIn is where summaries are kept.
func keptIn(v system.Values) string {
	if v["summary-cache"] == memoryCache {
		return "memory"
	}
	return "the Redis of --summary-cache"
}

var passageID = regexp.MustCompile(`^[^#,]+#\d+$`)

// passageOf is the passage of which an id names a piece, and else the id: a long section
// is one passage, however it is cut.
func passageOf(id string) string {
	at := strings.LastIndexByte(id, '#')
	if at < 0 {
		return id
	}
	if dot := strings.IndexByte(id[at:], '.'); dot > 0 {
		return id[:at+dot]
	}
	return id
}

// maxEvidence bounds the passages that a case lists.
const maxEvidence = 20

func checkEvidence(ids []string) error {
	if len(ids) > maxEvidence {
		return fmt.Errorf("has more than %d passages", maxEvidence)
	}
	for _, id := range ids {
		if !passageID.MatchString(id) {
			return fmt.Errorf("%.60q is no passage such as zh-03#2 (a piece of one, zh-03#2.3, counts as the passage)", id)
		}
	}
	return nil
}
