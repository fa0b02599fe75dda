package page

import (
	"fmt"
	"html/template"
	"io"
	"time"
)

// Runs is the list of a server's runs.
type Runs struct {
	Home     string // the address of the list
	Compare  string // that of a comparison, but for ?a=EARLIER&b=LATER
	Dirs     []string
	Problems []string // what cannot be read
	Rows     []RunRow // as they are to stand
	Older    int64    // how many are left out
	Trends   []Link
}

// RunRow is a run in the list.
type RunRow struct {
	Name, Link string
	Started    time.Time
	Status     string
	Warns      bool     // it is not one that has ended well
	Suites     []string // what was found, a line each
	Played     []string // the names of those suites
	Earlier    bool     // it is chosen as the earlier of two beforehand
	Later      bool     // or as the later one
}

// Link leads to another page.
type Link struct{ Name, Link string }

// When is when it began, in words.
func (r RunRow) When() string {
	if r.Started.IsZero() {
		return ""
	}
	return r.Started.UTC().Format("2006-01-02 15:04")
}

// served is a page of a server that has no report.
type served struct {
	Title, Home, Policy string
	IsHome              bool
	Style               code
	Body                template.HTML
}

// WriteRuns writes the list, and says what the page may do.
func WriteRuns(w io.Writer, r Runs) (policy string, err error) {
	return writeServed(w, served{Title: "Runs", Home: r.Home, IsHome: true}, "runs", r)
}

// WriteProblem writes why there is no report, and says what the page may do.
func WriteProblem(w io.Writer, home, title, why string) (policy string, err error) {
	return writeServed(w, served{Title: title, Home: home}, "problem", why)
}

// WriteServed writes a page around a body that is made, and says what the page may do.
func WriteServed(w io.Writer, home, title string, body template.HTML) (policy string, err error) {
	return writeServed(w, served{Title: title, Home: home}, "body", body)
}

func writeServed(w io.Writer, s served, name string, data any) (string, error) {
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
