package page

import (
	"embed"
	"path"
	"strings"
)

// The script of a page shows the view that the address in the browser selects, lists cases, and
// shows single cases. The figures of a page work without it. The script expects these elements on
// the page:
//
//   - Views: elements with the attribute data-view. The id is the address without #.
//   - Sections: elements within the view of their suite, with their address as id.
//   - Views "cases" and "case": created if they do not exist. Their content is replaced.
//   - One <nav> with links to addresses. The link of the current view gets aria-current.
//   - <main>, and <button id="theme">, which is hidden without the script.
//   - The data: <script type="text/plain" id="d-NAME">, see [Packer].
//
// If Meta.TraceURL is set, the script requests traces that the file does not contain from
// TraceURL?suite=NAME&case=ID. The response is a [Case] as JSON.

//go:embed script/*.js
var scriptFiles embed.FS

// scriptOrder lists the files of the script in the order in which they are joined. Each file comes
// after the files that it uses.
var scriptOrder = []string{
	"text", "element", "address", "data", "filter", "sign", "list",
	"difference", "timeline", "turn", "compare", "case", "theme", "start",
}

// Script returns the script of a report page. It joins all files, without indentation and comments,
// in a function so that they declare no global names.
func Script() string {
	var b strings.Builder
	b.WriteString("(() => {\n'use strict';\n")
	for _, name := range scriptOrder {
		text, err := scriptFiles.ReadFile(path.Join("script", name+".js"))
		if err != nil {
			panic(err) // the files are embedded, and a test checks that they exist
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
