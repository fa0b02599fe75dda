// Package reports renders results for readers and tools. It renders a run as tables, Markdown,
// JSON, CSV, LaTeX, HTML or in the formats of CI services. It also renders comparisons and analyses
// of runs, and a single trial as a timeline.
package reports

import (
	"time"

	"evalctl/eval"
	"evalctl/eval/compare"
	"evalctl/eval/runs"
	"evalctl/reports/document"
)

// Report is the summary of a run, with settings for what to show and how.
type Report struct {
	Summary    eval.Summary  // metrics of the run
	Title      string        // title of the report; "": "evalctl run"
	Dir        string        // directory of the run's files; "": none
	Seed       *uint64       // seed of the run; nil: not shown
	Duration   time.Duration // wall-clock time of the run; 0: not shown
	ResultsURL string        // URL of the complete results, for pull request comments; "": none
	Notes      []string      // additional lines at the top of the report

	Run *runs.Run // files of the run, from which some formats read single trials; nil: none
	// trials already collected from Run, see [NewTrialCollector]; nil: formats read Run
	Trials      *TrialCollector
	BaselineRun *runs.Run // earlier run that Run is compared with, trial by trial; nil: none
	// what the comparison with BaselineRun covers; zero: all variants that both runs have, without faults
	BaselineSelection compare.Selection
	ComparisonFirst   bool   // the HTML page shows the comparison with BaselineRun first
	BaselinePath      string // path of the baseline run of the gates; "": not shown
	ExitCode          *int   // exit code of the command, shown below the gates; nil: not shown
	// earlier run with known failures, which JUnit reports as skipped; nil: none
	KnownFailuresRun *runs.Run
	// JUnit represents the passed cases of a condition by one test case
	JUnitFailuresOnly bool
	HTMLMaxBytes      int64 // maximum size of the HTML file in bytes; 0: 3,000,000

	Log func(string) // called with messages about the HTML file; nil: no messages

	document.Options      // for the table format; the width is 100 by default, or unlimited with ShowAll
	View             View // show only one aspect, such as the classes; "": the whole report
	// show all tables, not only the most important results
	ShowAll bool
}
