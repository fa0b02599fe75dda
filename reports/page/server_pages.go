package page

import (
	"fmt"
	"html/template"
	"io"
	"time"
)

// RunListPage contains the data of the page that lists the runs on a server.
type RunListPage struct {
	HomeURL    string   // URL of this page
	CompareURL string   // URL of the comparison page; the page appends ?a=EARLIER&b=LATER
	Dirs       []string // directories that the server shows
	Problems   []string // messages on runs that could not be read
	Rows       []RunRow // runs, in the order in which the page shows them
	OlderCount int64    // number of older runs that the page does not list
	Trends     []Link   // pages with the trend of a metric
}

// RunRow is the row of one run in the list of runs.
type RunRow struct {
	Name, Link       string
	Started          time.Time // zero: unknown
	Status           string    // status of the run: running, done, interrupted or failed
	IsWarning        bool      // whether the status is shown as a warning, because the run did not end successfully
	SuiteResults     []string  // result of each suite, as one line of text
	SuiteNames       []string  // names of the suites in Suites, in the same order
	PreselectEarlier bool      // whether the run is preselected as the earlier run of a comparison
	PreselectLater   bool      // whether the run is preselected as the later run of a comparison
}

// Link is a link to another page: its text and its URL.
type Link struct{ Name, Link string }

// StartedText returns the start time of the run in UTC; "" if it is unknown.
func (r RunRow) StartedText() string {
	if r.Started.IsZero() {
		return ""
	}
	return r.Started.UTC().Format("2006-01-02 15:04")
}

// servedPage contains the data of a server page that is not the report of a run.
type servedPage struct {
	Title, Home, Policy string
	IsHome              bool
	Style               code
	Body                template.HTML
}

// WriteRunList writes the page with the list of runs. It returns the page's content security
// policy, for the HTTP header.
func WriteRunList(w io.Writer, r RunListPage) (policy string, err error) {
	return writeServed(w, servedPage{Title: "Runs", Home: r.HomeURL, IsHome: true}, "runs", r)
}

// WriteErrorPage writes a page that explains why a report cannot be shown. It returns the page's
// content security policy, for the HTTP header.
func WriteErrorPage(w io.Writer, home, title, why string) (policy string, err error) {
	return writeServed(w, servedPage{Title: title, Home: home}, "problem", why)
}

// WritePage writes a page with the given body, which must be safe HTML. It returns the page's
// content security policy, for the HTTP header.
func WritePage(w io.Writer, home, title string, body template.HTML) (policy string, err error) {
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
