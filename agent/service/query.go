package service

import (
	"maps"
	"net/http"
	"net/url"
	"slices"
	"unicode/utf8"

	"evalctl/agent"
)

// readQuery takes a turn from the query of a GET, the one form that a plain
// EventSource has: a text and a session.
func readQuery(r *http.Request) (agent.Turn, *problem) {
	query, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return agent.Turn{}, malformed("the query is malformed")
	}
	in := request{}
	fields := map[string]*string{"text": &in.Text, "sessionId": &in.SessionID}
	for _, name := range slices.Sorted(maps.Keys(query)) {
		field, value := fields[name], query[name]
		switch {
		case field == nil:
			return agent.Turn{}, malformed("%s: unknown field", word(name))
		case len(value) > 1:
			return agent.Turn{}, malformed("%s is given twice", piece(name))
		case !utf8.ValidString(value[0]):
			return agent.Turn{}, malformed("%s: invalid UTF-8", name)
		}
		*field = value[0]
	}
	return in.turn()
}
