package page

import (
	"fmt"
	"html/template"
	"io"
	"time"
)

// Runs is the list of a server's runs.
type Runs struct {
	Home     string // URL of the list
	Compare  string // URL of a comparison, without ?a=EARLIER&b=LATER
	Dirs     []string
	Problems []string // what could not be read
	Rows     []RunRow // in display order
	Older    int64    // number of older runs that are omitted
	Trends   []Link
}

// RunRow is a run in the list.
type RunRow struct {
	Name, Link string
	Started    time.Time
	Status     string
	Warns      bool     // the run did not end successfully
	Suites     []string // results, one line for each suite
	Played     []string // names of those suites
	Earlier    bool     // preselected as the earlier run of a comparison
	Later      bool     // preselected as the later run
}

// Link is a link to another page.
type Link struct{ Name, Link string }

// When returns the start time as text; "" if it is unknown.
func (r RunRow) When() string {
	if r.Started.IsZero() {
		return ""
	}
	return r.Started.UTC().Format("2006-01-02 15:04")
}

// servedPage is a server's page without a report.
type servedPage struct {
	Title, Home, Policy string
	IsHome              bool
	Style               code
	Body                template.HTML
}

// WriteRunList writes the list of runs and returns the page's content security policy.
func WriteRunList(w io.Writer, r Runs) (policy string, err error) {
	return writeServed(w, servedPage{Title: "Runs", Home: r.Home, IsHome: true}, "runs", r)
}

// WriteProblem writes a page that explains why there is no report. It returns the page's content
// security policy.
func WriteProblem(w io.Writer, home, title, why string) (policy string, err error) {
	return writeServed(w, servedPage{Title: title, Home: home}, "problem", why)
}

// WriteServed writes a page around a rendered body and returns the page's content security policy.
func WriteServed(w io.Writer, home, title string, body template.HTML) (policy string, err error) {
	return writeServed(w, servedPage{Title: title, Home: home}, "body", body)
}

func writeServed(w io.Writer, s servedPage, name string, data any) (string, error) {
	css, err := style()
	if err != nil {
		return "", err
	}
	s.Style = code{css}
	s.Policy = policy(s.Style, code{}, true)
	body, err := render(name, data)
	if err != nil {
		return "", err
	}
	s.Body = template.HTML(body) //nolint:gosec // escaped by the template
	text, err := render("served", s)
	if err != nil {
		return "", err
	}
	if _, err := io.WriteString(w, text); err != nil {
		return "", fmt.Errorf("write page: %w", err)
	}
	return s.Policy, nil
}
