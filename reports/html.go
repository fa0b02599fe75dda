package reports

import (
	"bytes"
	"slices"

	htmlpage "evalctl/reports/page"
)

// html is the report as one file for a browser.
func html(r Report) ([]byte, error) {
	var out bytes.Buffer
	_, err := htmlpage.Write(&out, pageOf(r))
	return out.Bytes(), err
}

func pageOf(r Report) htmlpage.Page {
	return htmlpage.Page{Summary: r.Summary, Title: r.Title, Dir: r.Dir, Notes: slices.Clone(r.Notes), Run: r.Run, Earlier: r.Earlier, Size: r.HTMLSize}
}
