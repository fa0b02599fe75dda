package service

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"unicode/utf8"
)

// problem is the error response to a rejected request. It is only possible before the event stream
// has started.
type problem struct {
	status  int
	code    string
	message string
	allowed []string // allowed methods, for a request with another method
	retry   bool     // the client may retry after a second
}

func newProblem(status int, code, format string, args ...any) *problem {
	return &problem{status: status, code: code, message: fmt.Sprintf(format, args...)}
}

func malformed(format string, args ...any) *problem {
	return newProblem(http.StatusBadRequest, "BAD_REQUEST", format, args...)
}

func checkMethod(r *http.Request, methods ...string) *problem {
	if slices.Contains(methods, r.Method) {
		return nil
	}
	p := newProblem(http.StatusMethodNotAllowed, "METHOD_NOT_ALLOWED", "%s is not answered here", quoteShort(r.Method))
	p.allowed = methods
	return p
}

func notFound(_ http.ResponseWriter, r *http.Request) *problem {
	return newProblem(http.StatusNotFound, "NOT_FOUND", "nothing is at %s", quoteShort(r.URL.Path))
}

// problemHandler is an HTTP handler that returns a problem instead of writing a response. ServeHTTP
// then writes the problem.
type problemHandler func(http.ResponseWriter, *http.Request) *problem

func (f problemHandler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	p := f(w, r)
	if p == nil {
		return
	}
	if r.ContentLength != 0 { // otherwise the server would read the rest of the request body first
		w.Header().Set("Connection", "close")
	}
	if p.allowed != nil {
		w.Header().Set("Allow", strings.Join(p.allowed, ", "))
	}
	if p.retry {
		w.Header().Set("Retry-After", "1")
	}
	type body struct {
		Code    string `json:"code"`
		Message string `json:"message"`
	}
	writeJSON(w, p.status, struct {
		Error body `json:"error"`
	}{body{p.code, p.message}})
}

func writeJSON(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v) // an error means that the client has disconnected
}

const maxQuotedLen = 40 // maximal length of client input in error messages, in characters

// quoteShort returns the beginning of a client's input for an error message, quoted and with
// printable characters only.
func quoteShort(s string) string {
	short := fmt.Sprintf("%.*q", maxQuotedLen, s)
	if utf8.RuneCountInString(s[:min(len(s), utf8.UTFMax*(maxQuotedLen+1))]) > maxQuotedLen {
		short += "…"
	}
	return short
}
