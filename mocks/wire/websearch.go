package wire

import (
	"encoding/json"
	"slices"
	"strings"
	"time"

	"evalctl/mocks/model"
)

// WebSearchBody is the body of a web search request, by field. Unknown fields are ignored.
type WebSearchBody map[string]json.RawMessage

// WebSearchQuery is a validated web search request.
type WebSearchQuery struct {
	Text   string        // the query
	Count  int           // maximum number of results
	MaxAge time.Duration // maximum age of a result; 0: no limit

	// options of Tavily
	WithAnswer, WithRawContent, WithImages, WithImageDescriptions, WithFavicon, WithUsage, WithDates, Advanced bool
	// option of Bocha
	WithSummary bool
}

const (
	maxTavilyQuery = 400 // maximum length of a query, in characters
	maxBochaQuery  = 4000
	day            = 24 * time.Hour
)

// CheckWebSearch validates a web search request by the rules of its provider (Tavily or Bocha).
func (c *Call) CheckWebSearch(b WebSearchBody) (WebSearchQuery, *model.ErrorResponse) {
	if c.Route.Dialect == Bocha {
		return c.checkBocha(b)
	}
	return c.checkTavily(b)
}

// has reports whether a field is present and not null.
func (b WebSearchBody) has(field string) bool { return len(b[field]) > 0 && string(b[field]) != "null" }

// decodeField decodes a field into v if the field is present. It returns false if the field has the
// wrong type.
func (b WebSearchBody) decodeField(field string, v any) bool {
	return !b.has(field) || json.Unmarshal(b[field], v) == nil
}

// isEnabled reports whether an option is enabled. Its value may be a boolean, or a string such as
// "basic" that selects a variant.
func (b WebSearchBody) isEnabled(field string) bool {
	return b.has(field) && string(b[field]) != "false"
}

var tavilyWords = map[string][]string{
	"search_depth": {"basic", "advanced", "fast", "ultra-fast"},
	"topic":        {"general", "news", "finance"},
	"time_range":   {"day", "week", "month", "year", "d", "w", "m", "y"},
}

func (c *Call) checkTavily(b WebSearchBody) (q WebSearchQuery, p *model.ErrorResponse) {
	q = WebSearchQuery{
		Count:                 5,
		WithAnswer:            b.isEnabled("include_answer"),
		WithRawContent:        b.isEnabled("include_raw_content"),
		WithImages:            b.isEnabled("include_images"),
		WithImageDescriptions: b.isEnabled("include_image_descriptions"),
		WithFavicon:           b.isEnabled("include_favicon"),
		WithUsage:             b.isEnabled("include_usage"),
		WithDates:             b.isEnabled("include_published_date"),
	}
	whole, _ := json.Marshal(b) // b was decoded from JSON, so this cannot fail
	switch {
	case b["query"] == nil:
		return q, &model.ErrorResponse{
			Status:  unprocessable,
			Type:    "missing",
			Param:   "query",
			Message: "Field required",
			Code:    string(whole),
		}
	case !b.has("query"), !b.decodeField("query", &q.Text):
		return q, wrongType(b, "query", "string")
	case !b.decodeField("max_results", &q.Count):
		return q, wrongType(b, "max_results", "integer")
	case strings.TrimSpace(q.Text) == "":
		return q, c.ErrorResponseWithMessage(InvalidRequest, "Query is missing.")
	case len([]rune(q.Text)) > maxTavilyQuery:
		return q, c.ErrorResponseWithMessage(InvalidRequest, "Query is too long. Max query length is 400 characters.")
	case q.Count < 0 || q.Count > 20:
		return q, c.ErrorResponseWithMessage(InvalidRequest, "Max results must be between 0 and 20.")
	}
	for _, field := range []string{"search_depth", "topic", "time_range"} {
		var word string
		switch known := tavilyWords[field]; {
		case !b.decodeField(field, &word):
			return q, wrongType(b, field, "string")
		case b.has(field) && !slices.Contains(known, word):
			return q, c.ErrorResponseWithMessage(InvalidRequest,
				"Invalid "+strings.ReplaceAll(field, "_", " ")+". Must be '"+strings.Join(known, "', '")+"'.")
		case field == "topic" && word == "news":
			q.WithDates = true
		case field == "search_depth":
			q.Advanced = word == "advanced"
		case field == "time_range" && word != "":
			q.MaxAge = map[byte]time.Duration{'d': day, 'w': 7 * day, 'm': 30 * day, 'y': 365 * day}[word[0]]
		}
	}
	return q, nil
}

// wrongType returns Tavily's error response for a field of the wrong type.
func wrongType(b WebSearchBody, field, want string) *model.ErrorResponse {
	typ := map[string]string{"string": "string_type", "integer": "int_type"}[want]
	return &model.ErrorResponse{
		Status:  unprocessable,
		Type:    typ,
		Param:   field,
		Message: "Input should be a valid " + want,
		Code:    string(b[field]),
	}
}

var bochaAges = map[string]time.Duration{"noLimit": 0, "oneDay": day, "oneWeek": 7 * day, "oneMonth": 30 * day,
	"oneYear": 365 * day}

func (c *Call) checkBocha(b WebSearchBody) (q WebSearchQuery, p *model.ErrorResponse) {
	q.Count = 10
	fresh := "noLimit"
	switch {
	case !b.has("query"):
		return q, c.ErrorResponseWithMessage(InvalidRequest, "Missing parameter query")
	case !b.decodeField("query", &q.Text), !b.decodeField("count", &q.Count), !b.decodeField("summary", &q.WithSummary),
		!b.decodeField("freshness", &fresh):
		return q, c.ErrorResponseWithMessage(InvalidRequest, "")
	case strings.TrimSpace(q.Text) == "":
		return q, c.ErrorResponseWithMessage(InvalidRequest, "Missing parameter query")
	case len([]rune(q.Text)) > maxBochaQuery:
		return q, c.ErrorResponseWithMessage(InvalidRequest, "Parameter query is too long")
	case q.Count < 1 || q.Count > 50:
		return q, c.ErrorResponseWithMessage(InvalidRequest, "Invalid parameter count")
	}
	age, known := bochaAges[fresh]
	if from, to, _ := strings.Cut(fresh, ".."); !known && (!isDay(from) || to != "" && !isDay(to)) {
		return q, c.ErrorResponseWithMessage(InvalidRequest, "Invalid parameter freshness")
	}
	q.MaxAge = age
	return q, nil
}

func isDay(text string) bool {
	_, err := time.Parse(time.DateOnly, text)
	return err == nil
}
