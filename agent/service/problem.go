package service

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"unicode/utf8"
)

// problem is the error response to a request that is rejected before its stream.
type problem struct {
	status  int
	code    string
	message string
	allowed []string // allowed methods, if another was used
	retry   bool     // the request may succeed a little later
}

func refuse(status int, code, format string, args ...any) *problem {
	return &problem{status: status, code: code, message: fmt.Sprintf(format, args...)}
}

// malformed rejects a request because of its content.
func malformed(format string, args ...any) *problem {
	return refuse(http.StatusBadRequest, "BAD_REQUEST", format, args...)
}

func allow(r *http.Request, methods ...string) *problem {
	if slices.Contains(methods, r.Method) {
		return nil
	}
	p := refuse(http.StatusMethodNotAllowed, "METHOD_NOT_ALLOWED", "%s is not answered here", quoteShort(r.Method))
	p.allowed = methods
	return p
}

func notFound(_ http.ResponseWriter, r *http.Request) *problem {
	return refuse(http.StatusNotFound, "NOT_FOUND", "nothing is at %s", quoteShort(r.URL.Path))
}

// problemHandler is a handler that can reject a request before it has written anything.
type problemHandler func(http.ResponseWriter, *http.Request) *problem

func (f problemHandler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	p := f(w, r)
	if p == nil {
		return
	}
	if r.ContentLength != 0 { // otherwise the server would wait for the rest of the body
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

const maxPiece = 40 // characters

// quoteShort returns the beginning of client input, quoted and printable.
func quoteShort(s string) string {
	short := fmt.Sprintf("%.*q", maxPiece, s)
	if utf8.RuneCountInString(s[:min(len(s), utf8.UTFMax*(maxPiece+1))]) > maxPiece {
		short += "…"
	}
	return short
}
