package companion

import (
	"fmt"
	"strings"

	"evalctl/agent/clock"
	"evalctl/agent/system"
)

// Values of the settings fast-path and debounce.
const (
	on  = "on"
	off = "off"
)

// System declares the companion, with its settings for suites and the command line.
func System() system.System {
	return system.System{
		Name:    "companion",
		Summary: "remembers earlier days, looks them up for questions about them, and chats",
		Examples: []string{
			"run companion --fast-path on,off --threshold 0.6,0.7,0.8",
			"chat companion --debounce off",
			"chat companion --model deepseek:deepseek-v4-flash --store diary.db",
			"serve companion --time-zone Asia/Shanghai",
		},
		Contract: system.Contract{
			LabelField:          "intent",
			Labels:              []string{knowledgeQuery, normalChat},
			OtherRoutes:         []string{failed},
			Slots:               []string{"date", "keywords"},
			ExactSlots:          []string{"date"},
			RetrievalField:      "days",
			RequireAllIDs:       true,
			AllowBatch:          true,
			StateFields:         stateChecks(),
			LabelDependsOnState: true,
			ValueChecks:         map[string]func([]string) error{"date": checkDates, "days": checkDays},
		},
		Components:           parts(),
		Settings:             settings(),
		DecisionSources:      []string{byModel, byRules, byKeywords, byGuard},
		SupportsDecisionOnly: true,
		NewRuleDecider:       keywordDecider,
		AnswerFormat:         answerFormat,
		DebounceTimes:        debounceTimes,
		Open:                 open,
	}
}

func parts() []system.Component {
	return []system.Component{
		{Name: "router", Role: system.RoleRouter, Node: intentNode},
		{Name: "chat", Role: system.RoleStructured, Simulate: simulateReply, MatchPrompt: matchesKey("replies")},
		{Name: "summary", Role: system.RoleStructured, Simulate: simulateSummary,
			MatchPrompt: matchesKey("key_points")},
		{Name: "knowledge", Role: system.RoleStore, LocalProviderName: provider, LocalImplementation: diaryLocation},
		{Name: "store", Role: system.RoleStore, LocalProviderName: provider, LocalImplementation: diaryLocation},
	}
}

// matchesKey returns a function that recognizes the prompt of a component by a JSON key in it. It
// also works for custom prompts, because they request the same key.
func matchesKey(key string) func(string) bool {
	return func(prompt string) bool { return strings.Contains(prompt, `"`+key+`"`) }
}

// diaryLocation describes which diary the settings select.
func diaryLocation(v system.SettingValues) string {
	switch {
	case v["store"] != "":
		return "the diary in " + v["store"]
	case v["memory-file"] != "":
		return "a diary of " + v["memory-file"]
	}
	return "the shipped diary"
}

func settings() []system.Setting {
	return []system.Setting{
		{Name: "fast-path", Help: "`WHETHER` a plain question about earlier days is looked up without the model",
			Values: []string{on, off}, Default: on},
		{Name: "low-confidence-action", Help: "`ACTION` for a decision below the threshold",
			Values: []string{string(belowChat), string(belowQuery)}, Default: string(belowChat)},
		{Name: "threshold", Help: "confidence from `0..1` below which the decision of the model is not used",
			Default: fmt.Sprint(defaultThreshold), IsThreshold: true,
			Check: system.CheckNumber(0, 1)},
		{Name: "keyword-threshold", Help: "confidence from `0..1` that a keyword match must have (default: 0.6)",
			Default: fmt.Sprint(defaultKeywordThreshold), Check: system.CheckNumber(0, 1)},
		{Name: "max-days", Help: "recall at most `N` days", Default: fmt.Sprint(defaultMaxDays),
			Check: system.CheckInteger(1, maxDaysLimit)},
		{Name: "history", Help: "`N` earlier turns of the conversation shown to the deciding model",
			Default: fmt.Sprint(defaultHistory), Check: system.CheckInteger(0, maxHistory)},
		{Name: "debounce", Help: "`WHETHER` the messages of a session are collected until a pause of 5 s",
			Values: []string{on, off}, Default: on},
		{Name: "time-zone", Help: "time `ZONE` of users whose request has none, such as Asia/Shanghai",
			Check: func(name string) error { _, err := clock.LoadZone(name); return err }},
		{Name: "memory-file", Help: "`FILE` with one daily summary per line, instead of the shipped ones; with a store its days are added", IsFile: true},
		{Name: "store", Help: "`FILE` of the database that keeps days and messages; a new one is empty. All conversations of chat share one memory; serve keeps one for each user of the requests, or for each session", IsFile: true, IsPersistent: true},
		{Name: "prompt", IsPrompt: true, Help: "`FILE` with the prompt of the deciding model", IsFile: true,
			Check: system.CheckPlainPromptFile},
		{Name: "reply-format-prompt", IsPrompt: true, Help: "`FILE` with the prompt on the format of replies",
			IsFile: true, Check: system.CheckPlainPromptFile},
		{Name: "summary-prompt", IsPrompt: true, Help: "`FILE` with the prompt that summarizes a day", IsFile: true,
			Check: system.CheckPlainPromptFile},
		{Name: "persona-prompt", IsPrompt: true, Help: "`FILE` with the prompt of the companion's persona",
			IsFile: true,
			Check:  system.CheckPlainPromptFile},
	}
}
