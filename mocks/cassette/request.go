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

// Request is a recorded request in canonical form, without secrets. Equal requests have equal
// forms, so their recordings can be found. It contains only the headers that affect the answer.
type Request struct {
	Method string `json:"method"`
	// scheme and host; not part of the key, so a replay may use another host
	Origin        string `json:"origin"`
	Path          string `json:"path"`                  // path with the query
	AnswerHeaders string `json:"header_mode,omitempty"` // the headers that affect the answer, one per line
	// JSON is the body in canonical form, with sorted members and no white space. A body that is
	// not JSON is in Text or Base64.
	JSON   json.RawMessage `json:"json,omitempty"`
	Text   string          `json:"text,omitempty"`   // the body, if it is text but not JSON
	Base64 []byte          `json:"base64,omitempty"` // the body, if it is not text
}

// ignoredHeaders do not affect the answer. credentials matches the names of headers that are never
// recorded.
var (
	ignoredHeaders = []string{"Accept", "Accept-Encoding", "Cache-Control", "Connection", "Content-Length",
		"Content-Type", "User-Agent"}
	credentials = regexp.MustCompile(`(?i)auth|key|token|secret|passw|cookie|signature`)
)

// modeOf returns the headers that affect the answer, one per line, without secrets.
func modeOf(h http.Header, clean func(string) string) (mode string) {
	for _, name := range slices.Sorted(maps.Keys(h)) {
		if !slices.Contains(ignoredHeaders, name) && !credentials.MatchString(name) {
			mode += Redact(name+": "+strings.Join(h[name], ", ")+"\n", clean)
		}
	}
	return mode
}

// minCredential is the minimum length of a credential that is also redacted in the rest of the
// request. Shorter ones would match by chance.
const minCredential = 8

// CredentialRedactor returns a function that removes the credentials in the headers h from a text.
func CredentialRedactor(h http.Header) (clean func(string) string) {
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

// ReadRequest reads a request with its body. It returns the canonical form, and a copy of the
// request to send. clean removes configured secrets and may be nil.
func ReadRequest(r *http.Request, clean func(string) string) (Request, *http.Request, error) {
	q := Request{Method: r.Method, Origin: r.URL.Scheme + "://" + r.URL.Host, Path: Redact(r.URL.RequestURI(), clean)}
	if q.Method == "" {
		q.Method = http.MethodGet
	}
	q.AnswerHeaders = modeOf(r.Header, clean)
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
		q.Text = string(scrubbed) // the redaction has damaged the JSON, so the body is stored as text
	case utf8.Valid(body):
		q.Text = Redact(string(body), clean)
	default:
		q.Base64 = []byte(Redact(string(body), clean))
	}
}

// Key returns the hash, in hex, of the request and the epoch, by which its recording is found.
func (q Request) Key(epoch int) string {
	return q.hash(epoch, func(text string) string { return text })
}

// timeOfDay matches times of day, which some prompts contain.
var timeOfDay = regexp.MustCompile(`\b\d{1,2}:\d{2}(:\d{2}(\.\d+)?)?\b`)

// KeyWithoutTimes returns the Key of the request with all times of day removed. It finds the
// recording of a prompt that contains the current time.
func (q Request) KeyWithoutTimes(epoch int) string {
	return q.hash(epoch, func(text string) string { return timeOfDay.ReplaceAllLiteralString(text, "00:00") })
}

func (q Request) hash(epoch int, spell func(string) string) string {
	h := sha256.New()
	fmt.Fprintf(h, "%d\x00%s\x00%s\x00%s\x00", epoch, q.Method, spell(q.Path), q.AnswerHeaders)
	for _, body := range []string{string(q.JSON), q.Text, string(q.Base64)} {
		fmt.Fprintf(h, "%s\x00", spell(body))
	}
	return hex.EncodeToString(h.Sum(nil)[:keyBytes])
}

const keyBytes = 12

// Body returns the request body as readable text, with indented JSON.
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

func withoutQuery(path string) string {
	path, _, _ = strings.Cut(path, "?")
	return path
}
