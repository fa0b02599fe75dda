package cassette

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// Request is a request in canonical form, without secrets. It contains only the headers that affect
// the answer.
type Request struct {
	Method     string `json:"method"`
	Origin     string `json:"origin"`                // scheme and host; not part of the key
	Path       string `json:"path"`                  // with the query
	HeaderMode string `json:"header_mode,omitempty"` // the headers that affect the answer
	// the body in canonical form: sorted members, no white space
	JSON   json.RawMessage `json:"json,omitempty"`
	Text   string          `json:"text,omitempty"`
	Base64 []byte          `json:"base64,omitempty"`
}

// bare are headers that do not affect the answer; credentials matches headers that are not
// recorded.
var (
	ignoredHeaders = []string{"Accept", "Accept-Encoding", "Cache-Control", "Connection", "Content-Length",
		"Content-Type", "User-Agent"}
	credentials = regexp.MustCompile(`(?i)auth|key|token|secret|passw|cookie|signature`)
)

// modeOf returns the headers that affect the answer.
func modeOf(h http.Header, clean func(string) string) (mode string) {
	for _, name := range slices.Sorted(maps.Keys(h)) {
		if !slices.Contains(ignoredHeaders, name) && !credentials.MatchString(name) {
			mode += Redact(name+": "+strings.Join(h[name], ", ")+"\n", clean)
		}
	}
	return mode
}

// minCredential is the minimum length of a credential that is redacted elsewhere in the request.
const minCredential = 8

// Credentials returns a function that removes the request's credentials from a text.
func Credentials(h http.Header) (clean func(string) string) {
	var list []string
	for name, values := range h {
		for _, word := range strings.Fields(strings.Join(values, " ")) {
			if credentials.MatchString(name) && len(word) >= minCredential {
				list = append(list, word, marker)
			}
		}
	}
	return strings.NewReplacer(list...).Replace
}

// RequestOf reads a request. It returns its canonical form and a copy that can be sent.
func RequestOf(r *http.Request, clean func(string) string) (Request, *http.Request, error) {
	q := Request{Method: r.Method, Origin: r.URL.Scheme + "://" + r.URL.Host, Path: Redact(r.URL.RequestURI(), clean)}
	if q.Method == "" {
		q.Method = http.MethodGet
	}
	q.HeaderMode = modeOf(r.Header, clean)
	if r.Body == nil || r.Body == http.NoBody {
		return q, r, nil
	}
	body, err := io.ReadAll(r.Body)
	if err = errors.Join(err, r.Body.Close()); err != nil {
		return q, nil, fmt.Errorf("read the request: %w", err)
	}
	forward := r.Clone(r.Context())
	forward.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(body)), nil }
	forward.Body, err = forward.GetBody()
	q.setBody(body, clean)
	return q, forward, err
}

func (q *Request) setBody(body []byte, clean func(string) string) {
	value := jsontext.Value(bytes.Clone(body))
	err := value.Format(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true),
		jsontext.ReorderRawObjects(true))
	switch {
	case len(body) == 0:
	case err == nil:
		scrubbed := jsontext.Value(Redact(string(value), clean))
		if scrubbed.IsValid(jsontext.AllowDuplicateNames(true)) {
			q.JSON = json.RawMessage(scrubbed)
			return
		}
		q.Text = string(scrubbed) // a redacted secret extended beyond a string
	case utf8.Valid(body):
		q.Text = Redact(string(body), clean)
	default:
		q.Base64 = []byte(Redact(string(body), clean))
	}
}

// Key returns the hash of the request and the epoch.
func (q Request) Key(epoch int) string {
	return q.hash(epoch, func(text string) string { return text })
}

// timeOfDay matches times of day, which some prompts contain.
var timeOfDay = regexp.MustCompile(`\b\d{1,2}:\d{2}(:\d{2}(\.\d+)?)?\b`)

// KeyWithoutTimes returns the key without times of day.
func (q Request) KeyWithoutTimes(epoch int) string {
	return q.hash(epoch, func(text string) string { return timeOfDay.ReplaceAllLiteralString(text, "00:00") })
}

func (q Request) hash(epoch int, spell func(string) string) string {
	h := sha256.New()
	fmt.Fprintf(h, "%d\x00%s\x00%s\x00%s\x00", epoch, q.Method, spell(q.Path), q.HeaderMode)
	for _, body := range []string{string(q.JSON), q.Text, string(q.Base64)} {
		fmt.Fprintf(h, "%s\x00", spell(body))
	}
	return hex.EncodeToString(h.Sum(nil)[:keyBytes])
}

const keyBytes = 12

// Body returns the body as readable text.
func (q Request) Body() string {
	var text bytes.Buffer
	if q.JSON != nil && json.Indent(&text, q.JSON, "", "  ") == nil {
		return text.String()
	}
	if q.Base64 != nil {
		return fmt.Sprintf("(%d bytes that are no text)", len(q.Base64))
	}
	return q.Text
}

// withoutQuery returns the path without its query.
func withoutQuery(path string) string {
	path, _, _ = strings.Cut(path, "?")
	return path
}
