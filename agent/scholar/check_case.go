package scholar

import (
	"fmt"
	"slices"
	"strings"

	"evalctl/agent"
	"evalctl/agent/recall/index"
	"evalctl/agent/system"
)

// newCaseCheck returns a function that validates a case when it is loaded: its turn must contain
// the documents and passages that its expectation names.
func newCaseCheck(v system.SettingValues) (func(agent.Turn, map[string][]string) error, error) {
	l, err := openLibrary(v["papers"])
	if err != nil {
		return nil, err
	}
	return l.checkCase, nil
}

// checkCase validates a case, see newCaseCheck. It does not check what the agent rejects anyway
// when the case runs, such as two attached documents with the same name. want is the expectation of
// the case.
func (l *library) checkCase(t agent.Turn, want map[string][]string) error {
	chosen, _ := readChosen(t.State["documents"]) // cannot fail: stateChecks has validated the list
	texts := map[string]string{}
	for _, id := range chosen {
		if l.papers[id] == nil {
			return fmt.Errorf("state.documents: there is no paper %.60q", id)
		}
		texts[id] = l.papers[id].Text
	}
	ids := chosen
	for _, d := range t.Documents {
		id := strings.TrimSpace(d.Name)
		ids, texts[id] = append(ids, id), readable(d.Content)
	}
	for _, targets := range want["targets"] {
		list := strings.Split(targets, ",")
		if ordered := slices.DeleteFunc(slices.Clone(ids),
			func(id string) bool { return !slices.Contains(list, id) }); !slices.Equal(ordered, list) {
			return fmt.Errorf("expect.targets: %.100q are not documents of the turn, in their order", targets)
		}
	}
	for _, passage := range want["evidence"] {
		id, _, _ := strings.Cut(passage, "#")
		if !hasPassage(id, texts[id], passage) {
			return fmt.Errorf("expect.evidence: the turn has no passage %.60q", passage)
		}
	}
	return nil
}

// hasPassage reports whether the document with this ID and text has the passage.
func hasPassage(id, text, passage string) bool {
	uncut := func(string) int { return 0 }
	return slices.ContainsFunc(index.SplitDocument(id, text, uncut), func(p index.Passage) bool {
		return passage == p.ID || strings.HasPrefix(passage, p.ID+".")
	})
}

// checkStrategies returns an error if a case expects an unknown strategy.
func checkStrategies(names []string) error {
	for _, name := range names {
		if known := strategies(); !slices.Contains(known, name) {
			return fmt.Errorf("%.60q is not one of %s", name, strings.Join(known, ", "))
		}
	}
	return nil
}

func strategies() []string {
	return []string{fullContent, multiDocSummary, chunkRecall, simpleStrategy}
}
