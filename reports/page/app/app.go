// Package app is the script of a report's file: it shows the view that is addressed,
// lists cases, and shows one. All figures stand without it.
//
// It expects of the page
//
//   - views: elements with an id, as in the addresses but for the #, and the attribute
//     data-view. A section's id lies inside its suite's view. The views «cases» and
//     «case» are made where the page has none; whatever is in them is replaced.
//   - one <nav> whose links are addresses; that of the view shown gets aria-current.
//   - <button id="theme">, hidden without the script; <main>.
//   - the parts of the data, <script type="text/plain" id="d-NAME">, see package pack.
//
// Where Meta.Live is set, the trace of a case that the file has not is asked for at
// Live?suite=NAME&case=ID and comes as JSON, a pack.Case.
package app

import (
	"embed"
	"path"
	"strings"
)

//go:embed script/*.js
var files embed.FS

//go:embed cases.css
var style string

// order is that in which the files are joined: what is used stands before what uses it.
var order = []string{
	"text", "element", "address", "data", "filter", "sign", "list",
	"difference", "timeline", "turn", "beside", "case", "theme", "start",
}

// Script is one script, in a scope of its own, without indentation and comments.
func Script() string {
	var b strings.Builder
	b.WriteString("(() => {\n'use strict';\n")
	for _, name := range order {
		text, err := files.ReadFile(path.Join("script", name+".js"))
		if err != nil {
			panic(err) // embedded, and held by a test
		}
		for line := range strings.Lines(string(text)) {
			if line = strings.TrimLeft(line, " "); line != "\n" && !strings.HasPrefix(line, "//") {
				b.WriteString(line)
			}
		}
	}
	b.WriteString("})();\n")
	return b.String()
}

// Style is that of the views that the script makes. Its colours are the page's.
func Style() string { return style }
