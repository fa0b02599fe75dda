package journal

// The journal's files in a run's folder, and those beside them.
const (
	ResultsFile  = "results.jsonl"
	TracesFile   = "traces.jsonl"
	ManifestFile = "manifest.json"
	SummaryFile  = "summary.json"
)

// Files are all that a run keeps in its folder.
func Files() []string { return []string{ManifestFile, ResultsFile, TracesFile, SummaryFile} }
