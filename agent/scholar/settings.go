package scholar

import (
	"fmt"
	"strings"

	"evalctl/agent/recall"
	"evalctl/agent/system"
)

// Values of the setting rerank.
const (
	on  = "on"
	off = "off"
)

// memoryCache is the value of the setting summary-cache that stores summaries in memory.
const memoryCache = "memory"

func settings() []system.Setting {
	list := []system.Setting{
		{Name: "vector-weight", Help: "share from `0..1` that the likeness of vectors has in that of a passage; the rest is of its words", Default: fmt.Sprint(recall.DefaultVectorWeight), Check: system.CheckNumber(0, 1)},
		{Name: "top-n", Help: "`N` passages that a look into the documents brings",
			Default: fmt.Sprint(recall.DefaultTopN), Check: system.CheckInteger(1, recall.MaxTopN)},
		{Name: "similarity-threshold", Help: "likeness from `0..1` that a passage must have, where any has it",
			Default: fmt.Sprint(recall.DefaultThreshold), Check: system.CheckNumber(0, 1)},
		{Name: "rerank", Help: "`WHETHER` a model puts what was found in order", Values: []string{off, on},
			Default: off},
		{Name: "direct-content-threshold",
			Help:    "share from `0..1` of the room below which a document is shown as a whole",
			Default: fmt.Sprint(defaultDirect), Check: system.CheckNumber(0.01, 1)},
		{Name: "max-context-tokens", Help: "`TOKENS` of the context window", Default: fmt.Sprint(defaultContext),
			Check: system.CheckInteger(1, maxContext)},
		{Name: "system-tokens", Help: "`TOKENS` that the prompts are estimated to have",
			Default: fmt.Sprint(defaultSystemTokens), Check: system.CheckInteger(1, maxContext)},
		{Name: "reserved-answer-tokens", Help: "`TOKENS` that are kept for the answer",
			Default: fmt.Sprint(defaultAnswerTokens), Check: system.CheckInteger(1, maxContext)},
		{Name: "max-concurrent-calls", Help: "`N` calls of a turn, of models and of the recall service, at once",
			Default: fmt.Sprint(defaultCalls), Check: system.CheckInteger(1, maxCalls)},
		{Name: "max-concurrent-calls-total", Help: "`N` calls of all turns of a server together, at once; 0: no limit",
			Default: "0", Check: system.CheckInteger(0, maxTotalCalls)},
		{Name: "decision-retries", Help: "`N` further questions to the deciding model whose answer is none",
			Default: fmt.Sprint(defaultRetries), Check: system.CheckInteger(0, maxRetries)},
		{Name: "tool-cache-size", Help: "`N` documents whose searchers are kept",
			Default: fmt.Sprint(recall.DefaultCacheSize), Check: system.CheckInteger(1, recall.MaxCacheSize)},
		{Name: "search-engine", Help: "`WHICH` engine searches the web", Values: engines(), Default: defaultEngine},
		{Name: "retrieval-datasets",
			Help:      "`NAMES` of the indexes that the recall service searches, with + between them",
			Default:   papersDataset,
			Separator: listSeparator, Check: func(list string) error { _, err := readNames(list); return err }},
		basesSetting(),
		{Name: "papers", Help: "`FOLDER` of .md and .txt files in the place of the shipped papers", IsFile: true},
		{Name: "store", Help: "`FILE` with the conversations of sessions", IsFile: true, IsPersistent: true},
		{Name: "summary-cache", IsURL: true, Help: "`WHERE` summaries are kept: memory, or a Redis at redis://…",
			Default: memoryCache, Check: checkCache},
	}
	for _, t := range new(prompts).templates() {
		list = append(list, system.Setting{
			Name:     t.setting,
			IsPrompt: true,
			Help:     "`FILE` with the prompt " + t.help,
			IsFile:   true,
			Check:    func(path string) error { _, err := t.load(path); return err },
		})
	}
	return append(list, system.ExcludeComponentsSetting("search"))
}

// listSeparator separates the elements of a setting that is a list.
const listSeparator = "+"

func basesSetting() system.Setting {
	return system.Setting{
		Name:                   "allowed-base-urls",
		Help:                   "`URLS` of models that a request may choose for itself, with + between them; none usually",
		Separator:              listSeparator,
		IsURL:                  true,
		IsSelectablePerRequest: true,
		Check:                  func(list string) error { _, err := readBases(list); return err },
	}
}

func readNames(list string) ([]string, error) {
	all, err := texts(system.Setting{Separator: listSeparator}.Elements(list))
	if err != nil {
		return all, err
	}
	return all, checkNames(all)
}

// texts returns the texts of a setting's elements. A comma is an error: the command run separates
// the values of a setting by commas.
func texts(list []system.SettingElement) (all []string, err error) {
	for _, e := range list {
		if strings.Contains(e.Text, ",") {
			err = fmt.Errorf("%.60q holds a comma, where a + separates", e.Text)
		}
		all = append(all, e.Text)
	}
	return all, err
}
