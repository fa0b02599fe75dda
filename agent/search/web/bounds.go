package web

import (
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"

	"evalctl/agent/search"
)

// Limits of a query, in characters, and of results, in bytes.
const (
	maxQuery   = 400
	maxTitle   = 300
	maxURL     = 2 << 10
	maxContent = 4 << 10
	maxAnswer  = 16 << 10
)

// cut truncates a query to maxQuery.
func cut(query string) string {
	n := 0
	for i := range query {
		if n == maxQuery {
			return strings.TrimSpace(query[:i])
		}
		n++
	}
	return query
}

// limitResults removes invalid pages and unprintable characters, and applies the limits.
func limitResults(found search.Results, most int) search.Results {
	var kept []search.Result
	for _, r := range found.Results {
		r.Title, r.Content = printable(strings.Join(strings.Fields(r.Title), " "), maxTitle),
			printable(r.Content, maxContent)
		if len(kept) < most && isPage(r.URL) && r.Title+r.Content != "" {
			kept = append(kept, r)
		}
	}
	return search.Results{Answer: printable(found.Answer, maxAnswer), Results: kept}
}

// isPage reports whether an address is that of a web page. An address with a user is rejected,
// because its host is easily misread.
func isPage(address string) bool {
	u, err := url.Parse(address)
	return err == nil && len(address) <= maxURL && u.Host != "" && u.User == nil &&
		(u.Scheme == "http" || u.Scheme == "https")
}

// printable truncates a text and removes control characters that affect a terminal.
func printable(text string, most int) string {
	text = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' && r != '\t' {
			return -1
		}
		return r
	}, strings.ToValidUTF8(text, ""))
	if text = strings.TrimSpace(text); len(text) <= most {
		return text
	}
	for most > 0 && !utf8.RuneStart(text[most]) {
		most--
	}
	return strings.TrimSpace(text[:most]) + "…"
}
