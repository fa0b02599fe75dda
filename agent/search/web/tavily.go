package web

import (
	"cmp"
	"encoding/json"
	"time"

	"evalctl/agent/llm"
	"evalctl/agent/search"
)

type tavilyRequest struct {
	Query      string `json:"query"`
	Depth      string `json:"search_depth"`
	Topic      string `json:"topic"`
	MaxResults int    `json:"max_results"`
	Answer     bool   `json:"include_answer"`
	Dates      bool   `json:"include_published_date"`
}

func askTavily(cfg Config, query string, most int) any {
	return tavilyRequest{
		Query:      query,
		Depth:      cmp.Or(cfg.Depth, "basic"),
		Topic:      cmp.Or(cfg.Topic, "general"),
		MaxResults: most,
		Answer:     true,
		Dates:      true,
	}
}

// tavilyAnswer contains the fields of Tavily's response that are used. The field response_time is
// ignored, because its type varies.
type tavilyAnswer struct {
	Answer  string          `json:"answer"`
	Results *[]tavilyResult `json:"results"`
}

type tavilyResult struct {
	Title     string `json:"title"`
	URL       string `json:"url"`
	Content   string `json:"content"`
	Published string `json:"published_date"`
}

func readTavily(raw []byte, _ llm.Provider) (found search.Results, err error) {
	var a tavilyAnswer
	if err := json.Unmarshal(raw, &a); err != nil {
		return found, malformed(err)
	}
	if a.Results == nil {
		return found, missing("results")
	}
	found.Answer = a.Answer
	for _, r := range *a.Results {
		found.Pages = append(found.Pages, search.Result{
			Title:   r.Title,
			URL:     r.URL,
			Content: r.Content,
			Date:    tavilyDate(r.Published),
		})
	}
	return found, nil
}

// tavilyDate parses the date of a page, usually an HTTP date. It returns the zero time for an
// invalid date.
func tavilyDate(text string) time.Time {
	for _, layout := range []string{time.RFC1123, time.RFC1123Z, time.RFC3339, time.DateOnly} {
		if t, err := time.Parse(layout, text); err == nil {
			return t
		}
	}
	return time.Time{}
}
