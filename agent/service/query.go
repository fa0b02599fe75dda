package service

import (
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"evalctl/agent"
)

// checkAccept rejects a GET request without Accept: text/event-stream. An EventSource sends this
// header; images and links in foreign web pages do not. Older browsers can only be checked this
// way, because they send no Sec-Fetch-Site.
func checkAccept(r *http.Request) *problem {
	if r.Method != http.MethodGet || r.Header.Get("Sec-Fetch-Site") != "" {
		return nil
	}
	if strings.Contains(strings.ToLower(strings.Join(r.Header.Values("Accept"), ",")), "text/event-stream") {
		return nil
	}
	return newProblem(http.StatusNotAcceptable, "NOT_ACCEPTABLE",
		"a GET request requires the header Accept: text/event-stream")
}

// readQuery returns the turn of a GET request. Its query contains only a text, a button, a session
// and a user, so that an EventSource can send it.
func readQuery(r *http.Request) (agent.Turn, *problem) {
	query, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return agent.Turn{}, malformed("the query is malformed")
	}
	in := request{}
	fields := map[string]*string{"text": &in.Text, "action": &in.Action, "sessionId": &in.SessionID, "user": &in.User}
	for _, name := range slices.Sorted(maps.Keys(query)) {
		field, value := fields[name], query[name]
		switch {
		case field == nil:
			return agent.Turn{}, malformed("%s: unknown field", fieldName(name))
		case len(value) > 1:
			return agent.Turn{}, malformed("%s is given twice", quoteShort(name))
		case !utf8.ValidString(value[0]):
			return agent.Turn{}, malformed("%s: invalid UTF-8", name)
		}
		*field = value[0]
	}
	return in.turn()
}
