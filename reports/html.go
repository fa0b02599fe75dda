package reports

import (
	"bytes"
	"fmt"

	htmlpage "evalctl/reports/page"
)

// html renders the report as a single HTML file that works without a server.
func html(r Report) ([]byte, error) {
	var out bytes.Buffer
	info, err := htmlpage.Write(&out, r.page())
	if err != nil {
		return nil, err
	}
	r.logWriteInfo(info)
	return out.Bytes(), nil
}

func (r Report) page() htmlpage.Page {
	return htmlpage.Page{
		Summary:     r.Summary,
		Title:       r.Title,
		Dir:         r.Dir,
		Notes:       r.Notes,
		Run:         r.Run,
		Trials:      r.Trials.pageTrials(),
		BaselineRun: r.BaselineRun,
		MaxBytes:    r.HTMLMaxBytes,
	}
}

// logWriteInfo logs what the HTML file contains, and what it omits because of the size limit.
func (r Report) logWriteInfo(info htmlpage.WriteInfo) {
	if r.Log == nil || r.Run == nil {
		return
	}
	r.Log(fmt.Sprintf("html: the file contains the texts of all cases and the full trace of %s of %s",
		thousands(info.Traced), plural(info.Trials, "trial")))
	if info.BytesOverLimit > 0 {
		r.Log(fmt.Sprintf("html: the file has %s bytes, %s over the limit, even without traces", thousands(info.Bytes),
			thousands(info.BytesOverLimit)))
	}
	for _, note := range info.Notes {
		r.Log("html: " + clean(note))
	}
}
