package reports

import (
	"bytes"
	"fmt"

	htmlpage "evalctl/reports/page"
)

// html is the report as one file for a browser.
func html(r Report) ([]byte, error) {
	var out bytes.Buffer
	told, err := htmlpage.Write(&out, r.page())
	if err != nil {
		return nil, err
	}
	r.tell(told)
	return out.Bytes(), nil
}

func (r Report) page() htmlpage.Page {
	return htmlpage.Page{Summary: r.Summary, Title: r.Title, Dir: r.Dir, Notes: r.Notes, Run: r.Run, Trials: r.Trials.ofPage(), BaselineRun: r.BaselineRun, Size: r.HTMLSize}
}

// tell says what a file for a browser holds, and what it lacks.
func (r Report) tell(told htmlpage.WriteInfo) {
	if r.Log == nil || r.Run == nil {
		return
	}
	r.Log(fmt.Sprintf("html: the file contains the texts of all cases and the full trace of %s of %s", grouped(told.Traced), counted(told.Trials, "trial")))
	if told.BytesOverLimit > 0 {
		r.Log(fmt.Sprintf("html: the file has %s bytes, %s over the limit, even without traces", grouped(told.Bytes), grouped(told.BytesOverLimit)))
	}
	for _, note := range told.Notes {
		r.Log("html: " + clean(note))
	}
}
