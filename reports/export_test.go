package reports

import (
	"slices"

	"evalctl/reports/document"
)

// Unexported names that the tests use.
const CommentLines = commentLines

// RenderDocument renders a document in one of the [TableFormats].
func RenderDocument(format Format, d document.Document, o document.Options) ([]byte, error) {
	of, _ := formatNamed(format)
	return of.document(d, o)
}

// ViewDocument returns the document of a view with tables, which r.View selects.
func ViewDocument(r Report) (document.Document, error) {
	kind, prefix := r.View.parts()
	of := views()[slices.Index(Views(), kind)]
	panels, err := of.panels(r, prefix)
	return viewDocument(r, panels, of.note), err
}

// Documents of the screens.
var (
	ReportDocument      = Report.document
	ConfidenceDocument  = Report.confidenceDocument
	ComparisonDocument  = ComparisonReport.document
	CurveDocument       = CurveReport.document
	PowerDocument       = PowerReport.document
	TuningDocument      = TuningReport.document
	RunListDocument     = RunListReport.document
	TrendDocument       = TrendReport.document
	CaseHistoryDocument = CaseHistoryReport.document
	TrialBlocks         = TrialReport.blocks
)

// Ends of intervals.
var (
	PointsBound = pointsBound
	RatioBound  = ratioBound
)
