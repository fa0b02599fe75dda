package wire

import (
	"net/url"
	"strconv"
	"strings"
	"time"

	"evalctl/mocks/jsontext"
	"evalctl/mocks/model"
	"evalctl/mocks/random"
)

// AppendWebSearch appends the answer to a web search with the given pages. duration is the response
// time to report.
func (c *Call) AppendWebSearch(o []byte, q WebSearchQuery, pages []model.WebPage, duration time.Duration) []byte {
	if c.Route.Dialect == Bocha {
		return c.appendBocha(o, q, pages)
	}
	return c.appendTavily(o, q, pages, duration)
}

func (c *Call) appendTavily(o []byte, q WebSearchQuery, pages []model.WebPage, duration time.Duration) []byte {
	o = jsontext.AppendStringField(append(o, '{'), "query", q.Text)
	o = append(o, `,"follow_up_questions":null,`...)
	answer := ""
	if q.WithAnswer && len(pages) > 0 {
		answer = pages[0].Snippet
	}
	o = jsontext.AppendNullableStringField(o, "answer", answer)
	o = append(o, `,"images":[`...)
	if q.WithImages {
		o = appendImages(o, pages, q.WithImageDescriptions)
	}
	o = append(o, `],"results":[`...)
	for i, p := range pages {
		if i > 0 {
			o = append(o, ',')
		}
		o = appendTavilyResult(o, q, p)
	}
	o = append(o, `],"response_time":`...)
	o = strconv.AppendFloat(o, max(duration, 10*time.Millisecond).Round(10*time.Millisecond).Seconds(), 'f', 2, 64)
	if q.WithUsage {
		o = jsontext.AppendIntField(append(o, `,"usage":{`...), "credits", 1+boolToInt(q.Advanced))
		o = append(o, '}')
	}
	return append(jsontext.AppendStringField(append(o, ','), "request_id", c.requestID()), '}')
}

func boolToInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

func appendImages(o []byte, pages []model.WebPage, described bool) []byte {
	for i, p := range pages {
		if i > 0 {
			o = append(o, ',')
		}
		if !described {
			o = jsontext.AppendString(o, p.URL+".jpg")
			continue
		}
		o = jsontext.AppendStringField(append(o, '{'), "url", p.URL+".jpg")
		o = append(jsontext.AppendStringField(append(o, ','), "description", p.Title), '}')
	}
	return o
}

func appendTavilyResult(o []byte, q WebSearchQuery, p model.WebPage) []byte {
	o = jsontext.AppendStringField(append(o, '{'), "title", p.Title)
	o = jsontext.AppendStringField(append(o, ','), "url", p.URL)
	o = jsontext.AppendStringField(append(o, ','), "content", p.Snippet)
	o = strconv.AppendFloat(append(o, `,"score":`...), p.Score, 'f', 7, 64)
	raw := ""
	if q.WithRawContent {
		raw = p.Text
	}
	o = jsontext.AppendNullableStringField(append(o, ','), "raw_content", raw)
	if q.WithDates {
		o = jsontext.AppendStringField(append(o, ','), "published_date",
			p.Date.UTC().Format("Mon, 02 Jan 2006 15:04:05 GMT"))
	}
	if q.WithFavicon {
		o = jsontext.AppendStringField(append(o, ','), "favicon", p.Icon())
	}
	return append(o, '}')
}

func (c *Call) appendBocha(o []byte, q WebSearchQuery, pages []model.WebPage) []byte {
	o = jsontext.AppendStringField(append(o, `{"code":200,`...), "log_id", c.logID())
	o = append(o, `,"msg":null,"data":{"_type":"SearchResponse","queryContext":{`...)
	o = append(jsontext.AppendStringField(o, "originalQuery", q.Text), `},"webPages":{`...)
	o = jsontext.AppendStringField(o, "webSearchUrl", "https://bochaai.com/search?q="+url.QueryEscape(q.Text))
	matches := 0
	if len(pages) > 0 {
		matches = len(pages) + int(random.Hash(c.IDSeed, q.Text)%1_000_000)
	}
	o = append(jsontext.AppendIntField(append(o, ','), "totalEstimatedMatches", matches), `,"value":[`...)
	for i, p := range pages {
		if i > 0 {
			o = append(o, ',')
		}
		o = appendBochaResult(o, q, p)
	}
	o = append(o, `],"someResultsRemoved":true},"images":{"id":null,"readLink":null,"webSearchUrl":null,"isFamilyFriendly":null,"value":[`...)
	if len(pages) > 0 {
		o = jsontext.AppendStringField(append(o, `{"webSearchUrl":null,"name":null,`...), "thumbnailUrl",
			pages[0].URL+".jpg")
		o = jsontext.AppendStringField(append(o, ','), "contentUrl", pages[0].URL+".jpg")
		o = append(jsontext.AppendStringField(append(o, ','), "hostPageUrl", pages[0].URL), `,"width":0,"height":0}`...)
	}
	return append(o, `]},"videos":null}}`...)
}

// appendBochaResult appends one page in Bocha's format. As in the real service, dateLastCrawled is
// in Beijing time although it ends with Z.
func appendBochaResult(o []byte, q WebSearchQuery, p model.WebPage) []byte {
	at := p.Date.In(beijing)
	o = jsontext.AppendStringField(append(o, `{"id":null,`...), "name", p.Title)
	o = jsontext.AppendStringField(append(o, ','), "url", p.URL)
	o = jsontext.AppendStringField(append(o, ','), "displayUrl", p.URL)
	o = jsontext.AppendStringField(append(o, ','), "snippet", p.Snippet)
	if q.WithSummary {
		o = jsontext.AppendStringField(append(o, ','), "summary", p.Text)
	}
	o = jsontext.AppendStringField(append(o, ','), "siteName", strings.TrimPrefix(p.Site, "https://"))
	o = jsontext.AppendStringField(append(o, ','), "siteIcon", p.Icon())
	o = jsontext.AppendStringField(append(o, ','), "datePublished", at.Format(time.RFC3339))
	o = jsontext.AppendStringField(append(o, ','), "dateLastCrawled", at.Format("2006-01-02T15:04:05")+"Z")
	return append(o, `,"cachedPageUrl":null,"language":null,"isFamilyFriendly":null,"isNavigational":null}`...)
}
