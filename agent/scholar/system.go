package scholar

import (
	"fmt"
	"regexp"
	"strings"

	"evalctl/agent/cache"
	"evalctl/agent/system"
	"evalctl/agent/trace"
)

// SystemTokens returns the declaration of the scholar for the list of systems: its settings,
// components and labels.
func System() system.System {
	return system.System{
		Name:    "scholar",
		Summary: "answers about papers: summaries, surveys, reviews and questions, over whole texts, summaries or passages",
		Examples: []string{
			"run --target scholar --dataset scholar --split test --vector-weight 0,0.3,1",
			"run scholar --fault retrieval:timeout,cache:server_error",
			"chat scholar --papers ./papers",
			"serve scholar --summary-cache redis://127.0.0.1:6379",
		},
		Contract:             contract(),
		Components:           parts(),
		Settings:             settings(),
		DecisionSources:      []string{byModel, byRequest, byGuard},
		SupportsDecisionOnly: true,
		NewRuleDecider:       newHeuristicDecider,
		EventNames:           map[trace.Kind]string{trace.KindChunk: "answer_chunk", trace.KindDone: "final_answer"},
		Open:                 open,
	}
}

func contract() system.Contract {
	return system.Contract{
		LabelField:          "intent",
		Labels:              intents(),
		OtherRoutes:         []string{failed},
		Options:             []string{webSwitch, refreshSwitch, thinkingSwitch},
		OptionChecks:        paramChecks(),
		AttributeFields:     []string{"strategy", "targets"},
		FactsField:          "facts",
		MemoryField:         "retained_facts",
		RetrievalField:      "evidence",
		RequireAllIDs:       true,
		CanonicalID:         passageOf,
		StateFields:         stateChecks(),
		LabelDependsOnState: true,
		ValueChecks:         map[string]func([]string) error{"evidence": checkEvidence, "strategy": checkStrategies},
		NewTurnCheck:        newCaseCheck,
	}
}

func parts() []system.Component {
	return []system.Component{
		{Name: "router", Role: system.RoleRouter, Node: intentNode, MatchPrompt: containsText(literatureQA)},
		{Name: "sub_questions", Role: system.RoleStructured, Node: questionNode, Simulate: simulateQuestions,
			MatchPrompt: containsText(`"sub_questions"`)},
		{Name: "summary", Role: system.RoleChat, Node: summaryNode, Simulate: simulateSummary,
			MatchPrompt: containsText("压缩总结，供之后与其他文献")},
		{Name: "report", Role: system.RoleChat, Node: reportNode, Simulate: simulateReport,
			MatchPrompt: containsText("份分组报告，供之后合并")},
		{Name: "answer", Role: system.RoleChat, Node: answerNode, Simulate: simulateAnswer,
			MatchPrompt: headingLine.MatchString},
		{Name: "chat", Role: system.RoleChat, Node: simpleNode, Simulate: simulateChat,
			MatchPrompt: containsText("学术文献助手，正在和用户对话")},
		{Name: "compression", Role: system.RoleChat, Node: compressionNode, Simulate: simulateCompression,
			MatchPrompt: containsText("压缩成一份对话摘要")},
		{Name: "retrieval", Role: system.RoleRetrieval, Node: recallNode, NewCorpus: corpus,
			CorpusSettings: []string{"papers", "retrieval-datasets"}},
		{Name: "search", Role: system.RoleSearchEngine, Node: searchNode, UsedIf: system.IfIncluded("search")},
		{Name: "cache", Role: system.RoleStore, Node: cacheNode, LocalProviderName: cache.ProviderName,
			LocalImplementation: cacheLocation},
		{Name: "grader", Role: system.RoleGrader, Node: graderNode, Simulate: simulateGrades,
			MatchPrompt: containsText(`"stated"`)},
	}
}

// containsText returns a function that recognizes a prompt: it reports whether the prompt contains
// these words.
func containsText(words string) func(string) bool {
	return func(prompt string) bool { return strings.Contains(prompt, words) }
}

// cacheLocation returns where summaries are stored, as text for the user.
func cacheLocation(v system.SettingValues) string {
	if v["summary-cache"] == memoryCache {
		return "memory"
	}
	return "the Redis of --summary-cache"
}

var passageID = regexp.MustCompile(`^[^#,]+#\d+$`)

// passageOf returns the ID of a whole section for the ID of a piece of it: zh-03#2 for zh-03#2.3.
// It returns other IDs unchanged.
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

// maxEvidence is the maximum number of passages that a case can expect.
const maxEvidence = 20

func checkEvidence(ids []string) error {
	if len(ids) > maxEvidence {
		return fmt.Errorf("has more than %d passages", maxEvidence)
	}
	for _, id := range ids {
		if !passageID.MatchString(id) {
			return fmt.Errorf("%.60q is not a passage such as zh-03#2 (a piece of one, zh-03#2.3, counts as the passage)",
				id)
		}
	}
	return nil
}
