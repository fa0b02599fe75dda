// Package app contains the script of a report page. It shows the view of the current address, lists
// cases, and shows single cases. Figures do not require it.
//
// The script expects these elements on the page:
//
//   - Views: elements with the attribute data-view. The id is the address without #.
//   - Sections: elements within the view of their suite, with their address as id.
//   - Views "cases" and "case": created if they do not exist. Their content is replaced.
//   - One <nav> with links to addresses. The link of the current view gets aria-current.
//   - <main>, and <button id="theme">, which is hidden without the script.
//   - The data: <script type="text/plain" id="d-NAME">, see package pack.
//
// If Meta.TraceURL is set, traces that the file does not contain are requested from
// Live?suite=NAME&case=ID. The response is a JSON pack.Case.
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

// scriptOrder is the order in which the files are joined. A file comes after the files that it
// uses.
var scriptOrder = []string{
	"text", "element", "address", "data", "filter", "sign", "list",
	"difference", "timeline", "turn", "beside", "case", "theme", "start",
}

// Script returns all files as one script with its own scope, without indentation and comments.
func Script() string {
	var b strings.Builder
	b.WriteString("(() => {\n'use strict';\n")
	for _, name := range scriptOrder {
		text, err := files.ReadFile(path.Join("script", name+".js"))
		if err != nil {
			panic(err) // embedded, and checked by a test
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

// Style returns the styles of the views that the script creates. Colors are defined by the page.
func Style() string { return style }
