package datasets_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	. "github.com/onsi/gomega"

	"evalctl/datasets"
	"evalctl/eval"
)

func newsroomFigures(b *strings.Builder, d *datasets.Dataset) {
	kindTable(b, d, "start", "middle", "media", "review", "correction", "backtrack", "end", "end-rejected", "limit",
		"episode", "clarify", "follow-up", "fault", "mixed")
	answeredByFigures(b, d)
}

// answeredByFigures writes how many cases expect each component to answer under a fault. Only the
// first accepted component of a case is counted.
func answeredByFigures(b *strings.Builder, d *datasets.Dataset) {
	counts, columns := map[string]map[string]int{}, []string{"END", "exhausted", "supervisor"}
	for _, c := range all(d, datasets.Filter{}) {
		for _, s := range c.Turns {
			var want struct {
				Under map[string]eval.OneOf `json:"under_fault"`
			}
			if s.Expected != nil {
				Expect(json.Unmarshal(s.Expected, &want)).To(Succeed())
			}
			for fault, served := range want.Under {
				if counts[fault] == nil {
					counts[fault] = map[string]int{}
				}
				counts[fault][served.Primary()]++
			}
		}
	}
	fmt.Fprintf(b, "\n| fault | %s |\n|---|--:|--:|--:|\n", strings.Join(columns, " | "))
	for _, f := range slices.Sorted(maps.Keys(counts)) {
		fmt.Fprintf(b, "| %s | %d | %d | %d |\n", f, counts[f][columns[0]], counts[f][columns[1]],
			counts[f][columns[2]])
	}
}
