package reports

import (
	"bytes"
	"fmt"
	"io"

	"evalctl/reports/export"
)

// Write renders the report in the given format. It calls w.Write once, after rendering, so an error
// while rendering leaves no partial report.
func Write(w io.Writer, format Format, r Report) error {
	text, err := render(format, r)
	if err != nil {
		return err
	}
	if _, err := w.Write(text); err != nil {
		return fmt.Errorf("write %s report: %w", format, err)
	}
	return nil
}

func render(format Format, r Report) ([]byte, error) {
	if r.View != "" {
		return renderView(format, r)
	}
	switch format {
	case Table:
		return table(r)
	case Markdown:
		return markdown(r), nil
	case JSON:
		return jsonText(r.Summary)
	case CSV:
		return tableCSV(*metricRows(r.Summary))
	case CSVWide:
		return tableCSV(*conditionRows(r.Summary))
	case LaTeX:
		return latex(r), nil
	case Comment:
		return pullRequestComment(r), nil
	case HTML:
		return html(r)
	default:
		return forService(format, r)
	}
}

func forService(format Format, r Report) ([]byte, error) {
	write, ok := map[Format]func(io.Writer, export.Report) error{JUnit: export.WriteJUnit, GitHub: export.WriteGitHub,
		GitLab: export.WriteGitLab,
		Badge:  export.WriteBadge}[format]
	if !ok {
		return nil, unknown(string(format))
	}
	var out bytes.Buffer
	err := write(&out, export.Report{
		Summary:          r.Summary,
		Run:              r.Run,
		Trials:           r.Trials.ciTrials(),
		BaselineRun:      r.BaselineRun,
		KnownFailuresRun: r.KnownFailuresRun,
		FailuresOnly:     r.JUnitFailuresOnly,
	})
	return out.Bytes(), err
}

// table renders the terminal report: the most important results or, with Detail, all tables.
func table(r Report) ([]byte, error) {
	if !r.ShowAll {
		return screen(r)
	}
	return renderText(reportBlocks(r), r.Options)
}
