// Package reports renders results: a run as tables, Markdown, JSON, CSV, LaTeX, HTML or in the
// formats of CI services, comparisons and analyses of runs, and a single trial as a timeline.
package reports

import (
	"time"

	"evalctl/eval"
	"evalctl/eval/runs"
)

// Report is a run's summary with settings for its presentation.
type Report struct {
	Summary  eval.Summary
	Title    string        // "" is "evalctl run"
	Dir      string        // directory of the run's files; "": none
	Seed     *uint64       // seed of the run; nil: not shown
	Duration time.Duration // wall-clock time; 0: not shown
	Link     string        // URL of all results, for [Comment]; "": none
	Notes    []string      // lines above the numbers

	Run         *runs.Run // the run's files, for formats that show single trials; nil: none
	Trials      *Trials   // trials that are already read, see [TrialsFor]; nil: formats read them from Run
	BaselineRun *runs.Run // the run that this one is compared with; nil: none
	Baseline    string    // path of the baseline run that gates compare with; "": none
	Exit        *int      // exit code of the command, behind the gates; nil: not shown
	Known       *runs.Run // cases that are also wrong in this run are not JUnit failures; nil: all wrong cases are
	HTMLSize    int64     // maximum size of the HTML file in bytes; 0: 3,000,000

	Log func(string) // receives one-line messages about the HTML file; nil: they are discarded

	Width  int  // columns of the table format; 0: 100, or unlimited with Detail; 1 to 39: 40
	Color  bool // use colors in the table format, unless NO_COLOR is set
	ASCII  bool // use only ASCII symbols in the table format, for terminals without UTF-8
	By     View // show only this view of the run; "": the whole report
	Detail bool // all tables instead of the first screen, including details of conditions with a fault
}
