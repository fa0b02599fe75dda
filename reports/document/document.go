// Package document lays out reports: headings, sentences, tables, plots and suggested commands. It
// renders them for terminals, Markdown, LaTeX, CSV and JSON.
package document

// Document is what a report shows, for every format. Terminal, Markdown and LaTeX show the blocks.
type Document struct {
	Source  string // command that writes the report, as the first line of a LaTeX file
	Partial bool   // the run did not end
	Blocks  []Block
	Data    any    // data of the JSON format
	Rows    *Table // rows of the CSV format; nil: the format is not supported
}

// Target is what a document is laid out for.
type Target struct {
	Width    int  // width of a line in columns
	Terminal bool // a terminal; otherwise a Markdown or LaTeX page
}

// PageTarget is the target of Markdown and LaTeX, which have no limit of width.
var PageTarget = Target{Width: Unlimited}

// Options state how a terminal shows a report.
type Options struct {
	// line width in columns; 0: the default of the report, which is unlimited or 100 columns; 1 to 39: 40
	Width int  `json:"-"`
	Color bool `json:"-"` // use colors, unless NO_COLOR is set
	ASCII bool `json:"-"` // use only ASCII symbols
}
