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

// closed lets a page do nothing, and nobody frame it.
const closed = "default-src 'none'; frame-ancestors 'none'"

// problem is why a request gets no answer.
type problem struct {
	status int
	why    string
}

func (p *problem) Error() string { return p.why }

func refuse(status int, format string, args ...any) error {
	return &problem{status: status, why: fmt.Sprintf(format, args...)}
}

// answer is a handler that may fail before it has written anything.
type answer func(http.ResponseWriter, *http.Request) error

func (f answer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	err := f(w, r)
	if err == nil || r.Context().Err() != nil {
		return
	}
	var p *problem
	if !errors.As(err, &p) {
		p = &problem{status: http.StatusInternalServerError, why: err.Error()}
		switch {
		case errors.Is(err, journal.ErrKind):
			p.status, p.why = http.StatusUnprocessableEntity, "the run is unreadable: "+err.Error()
		case errors.Is(err, fs.ErrNotExist): // removed since it was listed
			p.status = http.StatusNotFound
		}
	}
	var text strings.Builder
	policy, err := page.WriteProblem(&text, home, http.StatusText(p.status), p.why)
	if err != nil {
		http.Error(w, p.why, p.status)
		return
	}
	send(w, r, content{status: p.status, policy: policy, text: []byte(text.String())})
}

// content is a page that is made.
type content struct {
	status int
	policy string
	text   []byte
}

// send writes the page. That the client has gone matters to nobody.
func send(w http.ResponseWriter, r *http.Request, c content) {
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", c.policy+"; frame-ancestors 'none'")
	h.Set("Content-Length", fmt.Sprint(len(c.text)))
	patient(w, r)
	w.WriteHeader(c.status)
	if r.Method != http.MethodHead {
		_, _ = w.Write(c.text)
	}
}

// writeTime is what a client may take for an answer, or for an event.
const writeTime = 30 * time.Second

// patient gives the client that time from now on. One in process has none that could stall.
func patient(w http.ResponseWriter, r *http.Request) {
	_ = http.NewResponseController(w).SetWriteDeadline(clock.WallNow(r.Context()).Add(writeTime))
}
