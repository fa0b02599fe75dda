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

// Request is what is asked, in one spelling: without secrets and without the headers,
// but for those that change what is asked.
type Request struct {
	Method     string          `json:"method"`
	Origin     string          `json:"origin"`                // scheme and host, which are no part of the key
	Path       string          `json:"path"`                  // with its query
	HeaderMode string          `json:"header_mode,omitempty"` // what the headers ask for besides
	JSON       json.RawMessage `json:"json,omitempty"`        // the body: members by name, no blanks
	Text       string          `json:"text,omitempty"`
	Base64     []byte          `json:"base64,omitempty"`
}

// bare are headers that say nothing of what is asked, and credentials are those that a
// replay goes without.
var (
	bare        = []string{"Accept", "Accept-Encoding", "Cache-Control", "Connection", "Content-Length", "Content-Type", "User-Agent"}
	credentials = regexp.MustCompile(`(?i)auth|key|token|secret|passw|cookie|signature`)
)

// modeOf is what headers ask for besides the body.
func modeOf(h http.Header, clean func(string) string) (mode string) {
	for _, name := range slices.Sorted(maps.Keys(h)) {
		if !slices.Contains(bare, name) && !credentials.MatchString(name) {
			mode += Redact(name+": "+strings.Join(h[name], ", ")+"\n", clean)
		}
	}
	return mode
}

// minCredential is the length from which a word of a credential is looked for elsewhere.
const minCredential = 8

// Credentials knows the credentials of a request, to take them out of what is told of it.
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

// RequestOf reads a request, and returns it once more for who is to send it.
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
	again := r.Clone(r.Context())
	again.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(body)), nil }
	again.Body, err = again.GetBody()
	q.setBody(body, clean)
	return q, again, err
}

func (q *Request) setBody(body []byte, clean func(string) string) {
	value := jsontext.Value(bytes.Clone(body))
	err := value.Format(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true), jsontext.ReorderRawObjects(true))
	switch {
	case len(body) == 0:
	case err == nil:
		scrubbed := jsontext.Value(Redact(string(value), clean))
		if scrubbed.IsValid(jsontext.AllowDuplicateNames(true)) {
			q.JSON = json.RawMessage(scrubbed)
			return
		}
		q.Text = string(scrubbed) // a secret had hold of more than a string
	case utf8.Valid(body):
		q.Text = Redact(string(body), clean)
	default:
		q.Base64 = []byte(Redact(string(body), clean))
	}
}

// Key is the hash of all that is asked, in an epoch.
func (q Request) Key(epoch int) string {
	return q.hash(epoch, func(text string) string { return text })
}

// timeOfDay is in the prompts of those who tell a model what time it is.
var timeOfDay = regexp.MustCompile(`\b\d{1,2}:\d{2}(:\d{2}(\.\d+)?)?\b`)

// KeyWithoutTimes is the key without the times of day.
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

// Body is the body as text, for readers.
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

// page is the path without its query.
func page(path string) string {
	path, _, _ = strings.Cut(path, "?")
	return path
}
