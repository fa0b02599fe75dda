package view

import "net/url"

// Paths of the pages.
const (
	home        = "/"
	runPath     = "/run/"
	comparePath = "/compare"
	trendPath   = "/trend"
)

func runAddress(name string) string { return runPath + url.PathEscape(name) }
