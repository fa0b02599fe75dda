package web

import (
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"

	"evalctl/agent/search"
)

// Limits on a search: the length of a query in characters, and sizes of results in bytes.
const (
	maxQuery   = 400
	maxTitle   = 300
	maxURL     = 2 << 10
	maxContent = 4 << 10
	maxAnswer  = 16 << 10
)

// cut truncates a query to maxQuery characters.
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

// limitResults removes invalid pages and unprintable characters from results, and shortens long
// texts. It returns up to most pages.
func limitResults(found search.Results, most int) search.Results {
	var kept []search.Result
	for _, r := range found.Pages {
		r.Title, r.Content = printable(strings.Join(strings.Fields(r.Title), " "), maxTitle),
			printable(r.Content, maxContent)
		if len(kept) < most && isPage(r.URL) && r.Title+r.Content != "" {
			kept = append(kept, r)
		}
	}
	return search.Results{Answer: printable(found.Answer, maxAnswer), Pages: kept}
}

// isPage reports whether an address is the URL of a web page. A URL with a user name is rejected,
// because readers easily mistake the user name for the host.
func isPage(address string) bool {
	u, err := url.Parse(address)
	return err == nil && len(address) <= maxURL && u.Host != "" && u.User == nil &&
		(u.Scheme == "http" || u.Scheme == "https")
}

// printable removes control characters, which could affect a terminal, and truncates the text to
// most bytes.
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
