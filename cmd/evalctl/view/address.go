package view

import "net/url"

// home, runPath, comparePath and trendPath are the URL paths of the server's pages.
const (
	homePath    = "/"
	runPath     = "/run/"
	comparePath = "/compare"
	trendPath   = "/trend"
)

func runAddress(name string) string { return runPath + url.PathEscape(name) }
