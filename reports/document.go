package reports

// document is what a report shows, for every format. Terminal, Markdown and LaTeX show the blocks.
type document struct {
	command string // command that writes the report, as the first line of a LaTeX file
	partial bool   // the run did not end
	blocks  []block
	data    any   // data of the JSON format
	rows    *grid // rows of the CSV format; nil: the format is not supported
}

// target is what a document is laid out for.
type target struct {
	width    int  // width of a line in columns
	terminal bool // a terminal; otherwise a Markdown or LaTeX page
}

// pageTarget is the target of Markdown and LaTeX, which have no limit of width.
var pageTarget = target{width: unlimited}

// Options state how a terminal shows a report.
type Options struct {
	// line width in columns; 0: the default of the report, which is unlimited or 100 columns; 1 to 39: 40
	Width int  `json:"-"`
	Color bool `json:"-"` // use colors, unless NO_COLOR is set
	ASCII bool `json:"-"` // use only ASCII symbols
}
