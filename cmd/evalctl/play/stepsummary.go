package play

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"

	"evalctl/agent/secret"
	"evalctl/reports"
	"evalctl/reports/document"
)

// jobSummaryPath returns the path of the GitHub job summary, or "" outside GitHub Actions.
func jobSummaryPath() string { return os.Getenv("GITHUB_STEP_SUMMARY") }

// jobURL returns the URL of the CI job that runs evalctl, or "" outside CI.
func jobURL() string {
	if repository, id := os.Getenv("GITHUB_REPOSITORY"), os.Getenv("GITHUB_RUN_ID"); repository != "" && id != "" {
		return cmp.Or(os.Getenv("GITHUB_SERVER_URL"), "https://github.com") + "/" + repository + "/actions/runs/" + id
	}
	return os.Getenv("CI_JOB_URL")
}

func addToJobSummary(rep reports.Report, secrets *secret.Set) error {
	path := jobSummaryPath()
	if path == "" {
		return nil
	}
	if err := appendMarkdown(path, rep, secrets); err != nil {
		return fmt.Errorf("GITHUB_STEP_SUMMARY: %w", err)
	}
	return nil
}

// appendMarkdown appends the report to the job summary, truncated to the summary's size limit.
func appendMarkdown(path string, rep reports.Report, secrets *secret.Set) (err error) {
	if rep.Summary, err = redactedSummary(rep.Summary, secrets); err != nil {
		return err
	}
	text, err := render(reports.Comment, rep, secrets)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	room := document.MaxStepSummaryBytes
	if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
		room -= int(min(info.Size(), int64(room)))
	}
	_, err = io.WriteString(f, document.TruncateMarkdown(string(text), room))
	return errors.Join(err, f.Close())
}
