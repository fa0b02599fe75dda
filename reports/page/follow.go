package page

import _ "embed"

// followScript is the script of the page of a run that is under way: it tells how far the run
// is, and offers to show what is new. It hears of it by server-sent events:
//
//	event: progress   {"done":N,"planned":N,"errors":N,"rate":trials a second,"quiet":seconds since anything was written,
//	                   "cells":[{"suite","variant","fault","right":N,"judged":N}, …]}
//	event: end        {"why":text}; nothing comes after it
//
//go:embed follow.js
var followScript string

// Played returns the number of trials in the page's figures.
func (v view) Played() int64 { return v.trials }
