package scholar

import (
	"fmt"
	"slices"
	"strings"

	"evalctl/agent"
	"evalctl/agent/recall/index"
	"evalctl/agent/system"
)

// fitting makes the check of whether the documents and passages are there that a turn and
// its expectation name.
func fitting(v system.Values) (func(agent.Turn, map[string][]string) error, error) {
	l, err := openLibrary(v["papers"])
	if err != nil {
		return nil, err
	}
	return l.fits, nil
}

// fits leaves to the turn's play what is wrong with the turn alone, such as two attached
// documents of a name.
func (l *library) fits(t agent.Turn, want map[string][]string) error {
	chosen, _ := readChosen(t.State["documents"]) // checked before, where there is any
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
		if known := slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return !slices.Contains(list, id) }); !slices.Equal(known, list) {
			return fmt.Errorf("expect.targets: %.100q are not documents of the turn, in their order", targets)
		}
	}
	for _, passage := range want["evidence"] {
		id, _, _ := strings.Cut(passage, "#")
		if !has(id, texts[id], passage) {
			return fmt.Errorf("expect.evidence: the turn has no passage %.60q", passage)
		}
	}
	return nil
}

// has tells whether a document has a passage, by the number of its section.
func has(id, text, passage string) bool {
	uncut := func(string) int { return 0 }
	return slices.ContainsFunc(index.Passages(id, text, uncut), func(p index.Passage) bool {
		return passage == p.ID || strings.HasPrefix(passage, p.ID+".")
	})
}

// checkStrategies checks the ways that a case takes for right.
func checkStrategies(names []string) error {
	for _, name := range names {
		if known := strategies(); !slices.Contains(known, name) {
			return fmt.Errorf("%.60q is none of %s", name, strings.Join(known, ", "))
		}
	}
	return nil
}

func strategies() []string {
	return []string{fullContent, multiDocSummary, chunkRecall, simpleStrategy}
}
