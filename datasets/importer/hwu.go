package importer

import (
	"fmt"
	"strings"
)

// readHWU imports AnnotatedData/NLU-Data-Home-Domain-Annotated-All.csv of
// github.com/xliuhw/NLU-Evaluation-Data, whose fields are separated by semicolons. The label is
// scenario_intent. It rejects rows without a text. It also rejects rows whose status starts with
// IRR, because the publishers omit them as well. A stray quote is part of the text. Cases have no
// split.
func readHWU(j *job) error {
	t := table{delimiter: ';', lazyQuotes: true, required: []string{"scenario", "intent", "answer_normalised"}}
	return j.eachRecord(j.Path, t, func(at Position, r record) error {
		status, text := r.get("status"), r.get("answer_normalised")
		switch {
		case strings.HasPrefix(status, "IRR"):
			return j.reject(at, fmt.Sprintf("status is %s, which the publishers leave out", quoted(status)))
		case strings.TrimSpace(text) == "" || text == "null":
			return j.reject(at, "answer_normalised is empty or null")
		case r.get("scenario") == "" || r.get("intent") == "":
			return j.reject(at, "scenario or intent is empty")
		}
		id := generatedID("hwu64-row", "", r.n)
		if own := r.get("answerid"); own != "" {
			id = "hwu64-" + own
		}
		return j.add(row{
			place: at,
			id:    id,
			tags:  []tag{{"lang", "en"}, {"source", "xliuhw/NLU-Evaluation-Data"}, {"domain", r.get("scenario")}},
			turns: singleTurn(text, r.get("scenario")+"_"+r.get("intent")),
		})
	})
}
