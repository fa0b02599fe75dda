package service

import (
	"errors"
	"io"
	"mime"
	"net/http"
	"os"
	"time"

	strict "github.com/go-json-experiment/json"

	"evalctl/agent"
	"evalctl/agent/clock"
)

// readLimits are the size and time limits for reading one request.
type readLimits struct {
	maxBody  int64          // maximal size of the body in bytes
	maxStall time.Duration  // maximal time without receiving a byte
	share    *memoryShare   // memory that the request uses of the budget
	runs     *activeAnswers // answers in progress; once the service drains, bodies are no longer read
}

// read returns the turn of a request: from the query of a GET request, otherwise from the JSON
// body.
func (l readLimits) read(w http.ResponseWriter, r *http.Request) (agent.Turn, *problem) {
	if r.Method == http.MethodGet {
		return readQuery(r)
	}
	if p := checkType(r.Header.Get("Content-Type")); p != nil {
		return agent.Turn{}, p
	}
	if r.ContentLength > l.maxBody {
		return agent.Turn{}, l.tooLarge()
	}
	body, err := l.body(w, r)
	if err != nil {
		return agent.Turn{}, l.problemOf(err)
	}
	if p := l.share.charge(body); p != nil {
		return agent.Turn{}, p
	}
	var in *request
	switch err := strict.Unmarshal(body, &in, strict.RejectUnknownMembers(true)); {
	case err != nil:
		return agent.Turn{}, jsonProblem(err)
	case in == nil:
		return agent.Turn{}, malformed("the request must be an object, got null")
	}
	return in.turn()
}

// body reads the request body. It returns an error if the body exceeds maxBody bytes or arrives too
// slowly. The caller decodes the complete body, because an incremental decoder would copy its data
// with each piece.
func (l readLimits) body(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	control := http.NewResponseController(w)
	defer l.runs.forgetBody(control)
	whole := clock.Now(r.Context()).Add(bodyTimeFactor * l.maxStall)
	b, err := io.ReadAll(deadlineReader{l.share.reader(http.MaxBytesReader(w, r.Body, l.maxBody)), func() error {
		piece := clock.Now(r.Context()).Add(l.maxStall)
		if piece.After(whole) {
			piece = whole
		}
		return l.runs.setReadDeadline(control, piece)
	}})
	if err != nil {
		return nil, err
	}
	// Otherwise the read deadline would expire during the answer.
	return b, ignoreUnsupported(control.SetReadDeadline(time.Time{}))
}

func checkType(contentType string) *problem {
	if kind, _, err := mime.ParseMediaType(contentType); err != nil || kind != "application/json" {
		return newProblem(http.StatusUnsupportedMediaType, "UNSUPPORTED_MEDIA_TYPE",
			"the request is to be application/json, not %s", quoteShort(contentType))
	}
	return nil
}

func (l readLimits) tooLarge() *problem {
	return newProblem(http.StatusRequestEntityTooLarge, "TOO_LARGE", "the request has more than %d bytes", l.maxBody)
}

func budgetUsed() *problem {
	p := newProblem(http.StatusServiceUnavailable, "TOO_MANY_BYTES", "%v", errBudgetUsed)
	p.retry = true
	return p
}

// problemOf returns the error response for a body that could not be read.
func (l readLimits) problemOf(err error) *problem {
	var large *http.MaxBytesError
	if l.runs.isDraining() {
		return l.runs.checkCapacity()
	}
	switch {
	case errors.As(err, &large):
		return l.tooLarge()
	case errors.Is(err, errBudgetUsed):
		return budgetUsed()
	case errors.Is(err, os.ErrDeadlineExceeded):
		return newProblem(http.StatusRequestTimeout, "TIMEOUT",
			"the request comes too slowly: nothing for %v, or not all within %v", l.maxStall, bodyTimeFactor*l.maxStall)
	}
	return jsonProblem(err)
}
