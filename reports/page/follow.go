package page

import _ "embed"

// followScript is the script on the page of a run in progress. It shows the progress and offers to
// load new results. It receives server-sent events:
//
//	event: progress   {"done":N,"planned":N,"errors":N,"rate":trials per second,"quiet":seconds since the last write,
//	                   "cells":[{"suite","variant","fault","right":N,"judged":N}, …]}
//	event: end        {"why":text}; the last event
//
//go:embed follow.js
var followScript string

// SuiteNames returns how many trials the page shows, so that its script can detect new ones.
func (v view) TrialCount() int64 { return v.trials }
