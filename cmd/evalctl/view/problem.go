package view

import (
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"strings"
	"time"

	"evalctl/agent/clock"
	"evalctl/eval/journal"
	"evalctl/reports/page"
)

// denyAll is a Content-Security-Policy that forbids a page to load anything or to be framed.
const denyAll = "default-src 'none'; frame-ancestors 'none'"

// httpError is an error that is sent to the client with an HTTP status.
type httpError struct {
	status int
	why    string
}

func (p *httpError) Error() string { return p.why }

func newHTTPError(status int, format string, args ...any) error {
	return &httpError{status: status, why: fmt.Sprintf(format, args...)}
}

// handler is an HTTP handler that may return an error before it has written anything.
type handler func(http.ResponseWriter, *http.Request) error

func (f handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	err := f(w, r)
	if err == nil || r.Context().Err() != nil {
		return
	}
	var p *httpError
	if !errors.As(err, &p) {
		p = &httpError{status: http.StatusInternalServerError, why: err.Error()}
		switch {
		case errors.Is(err, journal.ErrNotRegular):
			p.status, p.why = http.StatusUnprocessableEntity, "the run is unreadable: "+err.Error()
		case errors.Is(err, fs.ErrNotExist): // the run was removed while it was read
			p.status = http.StatusNotFound
		}
	}
	var text strings.Builder
	policy, err := page.WriteErrorPage(&text, homePath, http.StatusText(p.status), p.why)
	if err != nil {
		http.Error(w, p.why, p.status)
		return
	}
	send(w, r, renderedPage{status: p.status, policy: policy, text: []byte(text.String())})
}

// renderedPage is a rendered page with its HTTP status and its Content-Security-Policy.
type renderedPage struct {
	status int
	policy string
	text   []byte
}

// send sends a page. A write error means that the client has disconnected, and is ignored.
func send(w http.ResponseWriter, r *http.Request, c renderedPage) {
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", c.policy+"; frame-ancestors 'none'")
	h.Set("Content-Length", fmt.Sprint(len(c.text)))
	extendDeadline(w, r)
	w.WriteHeader(c.status)
	if r.Method != http.MethodHead {
		_, _ = w.Write(c.text)
	}
}

// writeTime is the time within which one response or one event must be sent.
const writeTime = 30 * time.Second

// extendDeadline restarts the write timeout of the connection, if it has one.
func extendDeadline(w http.ResponseWriter, r *http.Request) {
	_ = http.NewResponseController(w).SetWriteDeadline(clock.WallNow(r.Context()).Add(writeTime))
}
