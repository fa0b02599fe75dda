// Package reports shows what a run found: the same summary as a table for the
// terminal, as Markdown, JSON or CSV and as CI services read it, and a single trial
// as a timeline.
package reports

import (
	"time"

	"evalctl/eval"
	"evalctl/eval/runs"
)

// Report is a run's summary with what only its reader needs to know.
type Report struct {
	Summary  eval.Summary
	Title    string        // "" is "evalctl run"
	Dir      string        // where the run's files are; "" if nowhere
	Seed     *uint64       // of the run; nil: it is not shown
	Duration time.Duration // by the wall clock; 0 is not shown
	Link     string        // to all results, in a comment; "": none
	Notes    []string      // what stands above the numbers, one remark each

	Run         *runs.Run // its files, for formats that tell of single trials; nil: none
	Trials      *Trials   // what formats tell of the run's trials; nil: each reads it anew
	BaselineRun *runs.Run // the run that it is held against; nil: none
	Baseline    string    // path of the baseline run that gates compare with; "": none
	Exit        *int      // exit code of the command, behind the gates; nil: not shown
	Known       *runs.Run // cases that are wrong there, too, are no failures in JUnit; nil: all wrong cases are
	HTMLSize    int64     // most bytes of the HTML file; 0: 3,000,000

	Log func(string) // is told in a line what there is to say of the HTML file; nil: nobody

	Width  int  // columns of the table format; 0: 100, and in detail unlimited; 1 to 39: 40
	Color  bool // colours the table format, unless NO_COLOR is set
	ASCII  bool // has no other signs of its own in the table format: the reader's locale is none of UTF-8
	By     View // shows this side of the run alone; "": the whole report
	Detail bool // all tables in place of the first screen, and the inside of the cells with a fault, too
}
