package web

import (
	"cmp"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"

	"evalctl/agent/llm"
	"evalctl/agent/search"
)

type bochaRequest struct {
	Query     string `json:"query"`
	Freshness string `json:"freshness"`
	Summary   bool   `json:"summary"`
	Count     int    `json:"count"`
}

func askBocha(cfg Config, query string, most int) any {
	return bochaRequest{
		Query:     query,
		Freshness: cmp.Or(cfg.Freshness, "noLimit"),
		Summary:   true,
		Count:     most,
	}
}

// bochaAnswer decodes Bocha's response. The service wraps the results in the field data. Many
// samples in its documentation do not, so both forms are accepted. The field code is the number 200
// or, in an error, a string.
type bochaAnswer struct {
	Code    json.RawMessage `json:"code"`
	Message string          `json:"message"`
	Data    *bochaData      `json:"data"`
	bochaData
}

type bochaData struct {
	WebPages *struct {
		Value []bochaResult `json:"value"`
	} `json:"webPages"`
}

type bochaResult struct {
	Name      string `json:"name"`
	URL       string `json:"url"`
	Snippet   string `json:"snippet"`
	Summary   string `json:"summary"`
	Published string `json:"datePublished"`
	Crawled   string `json:"dateLastCrawled"`
}

func readBocha(raw []byte, p llm.Provider) (found search.Results, err error) {
	var a bochaAnswer
	if err := json.Unmarshal(raw, &a); err != nil {
		return found, malformed(err)
	}
	if len(a.Code) > 0 && (a.Code[0] == '{' || a.Code[0] == '[') {
		return found, malformed(errors.New("the answer's code is neither a number nor a text"))
	}
	if code := strings.Trim(string(a.Code), `"`); code != "" && code != "null" && code != strconv.Itoa(http.StatusOK) {
		return found, llm.NewResponseError(p, http.StatusOK, code, "", a.Message)
	}
	data := a.bochaData
	if a.Data != nil {
		data = *a.Data
	}
	if data.WebPages == nil {
		return found, missing("webPages")
	}
	for _, r := range data.WebPages.Value {
		found.Pages = append(found.Pages, search.Result{
			Title:   r.Name,
			URL:     r.URL,
			Content: cmp.Or(r.Summary, r.Snippet),
			Date:    r.date(),
		})
	}
	return found, nil
}

var beijing = time.FixedZone("UTC+8", 8*60*60)

// date returns the date of publication. If it is missing, date returns the time of the last crawl.
// Bocha writes that time with the suffix Z although it is Beijing time, a known defect of the
// service.
func (r bochaResult) date() time.Time {
	if t, err := time.Parse(time.RFC3339, r.Published); err == nil {
		return t
	}
	if t, err := time.ParseInLocation("2006-01-02T15:04:05", strings.TrimSuffix(r.Crawled, "Z"), beijing); err == nil {
		return t
	}
	return time.Time{}
}
