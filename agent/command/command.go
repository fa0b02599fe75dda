// Package command implements the target exec (--target exec): it evaluates an external agent that
// is a program in any language. The program reads each turn as a JSON line from standard input. It
// replies with a JSON line that has the same id and contains the label. A process answers one turn
// at a time.
package command

import (
	"cmp"
	"context"
	"errors"
	"sync"
	"time"

	"evalctl/agent/foreign"
	"evalctl/agent/llm"
	"evalctl/agent/secret"
	"evalctl/agent/trace"
)

// provider is the provider name in trace spans and errors of this target.
const provider = "exec"

// processTransport sends the turns of one conversation to processes of a pool. It uses the same
// process for all turns, unless that process is busy or has ended. It is safe for concurrent use.
type processTransport struct {
	Pool    *ProcessPool
	Paths   foreign.AnswerPaths // where an answer contains the label and so on; zero: the default paths
	Model   string              // model name in trace spans, which determines the price; "": none
	Timeout time.Duration       // time limit for an answer; 0: llm.DefaultTimeout
	Secrets *secret.Set         // values to redact in errors; nil: none

	mu       sync.Mutex
	reserved *process // process reserved for the next turn; nil: none yet, or it is busy
}

var _ foreign.Transport = (*processTransport)(nil)

// Policy implements foreign.Transport. Calls of a program are not retried.
func (c *processTransport) Policy(foreign.Request) llm.CallPolicy {
	return llm.CallPolicy{
		Node:     foreign.Node,
		Provider: provider,
		Model:    c.Model,
		Timeout:  c.Timeout,
		Retries:  llm.NoRetries,
		Secrets:  c.Secrets,
	}
}

// Exchange sends a request to a process and returns its answer. A process that fails to answer is
// killed, because its later output could be confused with the answer to another request.
func (c *processTransport) Exchange(ctx context.Context, q foreign.Request, t *foreign.EventReader) (a foreign.Answer,
	err error) {
	line, err := q.JSON()
	if err != nil {
		return a, &llm.Error{Kind: llm.KindBadRequest, Err: err}
	}
	line = append(line, '\n')
	var stderr string // stderr output of the process during the turn
	for again := true; again; {
		a, stderr, again, err = c.attempt(ctx, q.ID, line, t)
	}
	if stderr != "" {
		trace.Emit(ctx, trace.Event{Kind: trace.KindStderr, Node: foreign.Node, Text: stderr})
	}
	return a, err
}

// attempt sends the request to one process. again is true if the request should be sent to a new
// process: the process had answered an earlier request and then exited without an error, as
// programs do that answer only once.
func (c *processTransport) attempt(ctx context.Context, id string, line []byte,
	events *foreign.EventReader) (a foreign.Answer, stderr string, again bool, err error) {
	p, line, err := c.readyProcess(ctx, line)
	if err != nil {
		return a, "", false, err
	}
	t := &pendingAnswer{
		id:     id,
		last:   p.answered,
		paths:  cmp.Or(c.Paths, foreign.DefaultPaths()),
		events: events,
	}
	t.paths.ID = idPath
	t.isEarly = p.answered != "" && p.hasOutput()
	err = p.exchange(ctx, line, func(line []byte) (bool, error) { return t.line(ctx, line) })
	if err != nil {
		if errors.Is(err, context.DeadlineExceeded) && !t.begun {
			err = &llm.Error{Message: "no output before the time limit: the program must flush each line", Err: err}
		}
		err = explain(p, err)
		stderr, again = p.takeStderr(), p.answered != "" && !t.begun && p.exitedCleanly()
		c.Pool.drop(p)
		return a, stderr, again, err
	}
	stderr, p.answered = p.takeStderr(), id
	c.reserve(p)
	return t.answer, stderr, false, nil
}

// explain converts a failure of a program to an *llm.Error, so that reports can classify it.
func explain(p *process, err error) error {
	switch {
	case errors.Is(err, errDied):
		return &llm.Error{Kind: llm.KindTransport, Message: p.exitDescription()}
	case errors.Is(err, errTooLong):
		return &llm.Error{Kind: llm.KindMalformedResponse, Message: err.Error()}
	}
	return err
}

// readyProcess returns a process that is ready to answer, and the rest of line that it has not
// received yet. A new process first receives the beginning of line, to check that it reads its
// input. Its start counts as time in a queue, not as latency of the answer.
func (c *processTransport) readyProcess(ctx context.Context, line []byte) (p *process, rest []byte, err error) {
	if p, err = c.takeProcess(); p != nil {
		return p, line, nil
	}
	defer trace.BeginQueueWait(ctx)()
	if err == nil {
		p, err = c.Pool.start()
	}
	if err != nil {
		return nil, nil, &llm.Error{Kind: llm.KindTransport, Message: "cannot start the program: " + err.Error()}
	}
	if rest, err = p.begin(ctx, line, cmp.Or(c.Timeout, llm.DefaultTimeout)); err != nil {
		c.Pool.drop(p)
	}
	return p, rest, err
}

// takeProcess returns the process reserved for this conversation, or an idle one; nil: none.
func (c *processTransport) takeProcess() (*process, error) {
	c.mu.Lock()
	own := c.reserved
	c.reserved = nil
	c.mu.Unlock()
	if own != nil && !own.isDead() {
		return own, nil
	}
	if own != nil {
		c.Pool.drop(own)
	}
	return c.Pool.takeIdle()
}

// reserve reserves a process for the conversation's next turn. A second one returns to the pool.
func (c *processTransport) reserve(p *process) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.reserved == nil {
		c.reserved = p
		return
	}
	c.Pool.release(p)
}

// Close ends the conversation and returns its reserved process to the pool.
func (c *processTransport) Close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.reserved != nil {
		c.Pool.release(c.reserved)
		c.reserved = nil
	}
	return nil
}

// pendingAnswer reads the output lines of a process up to the answer to one request.
type pendingAnswer struct {
	id    string
	last  string // id of the request that the process answered before
	paths foreign.AnswerPaths
	// the process wrote something before it received the request
	isEarly bool
	events  *foreign.EventReader
	answer  foreign.Answer
	begun   bool // some output was received
}

// idPath is the path of the request id in a program's answer.
const idPath = "/id"

// line processes one output line, which is an event or the answer. done is true after the answer.
func (t *pendingAnswer) line(ctx context.Context, line []byte) (done bool, err error) {
	t.begun = true
	d, err := foreign.ParseDocument(line)
	if err != nil {
		return false, err
	}
	switch id := d.ID(t.paths); {
	case id == "" && t.isEarly:
		return false, foreign.MalformedAnswerError(
			"comes twice: it was there before the question %s was sent; one line with a label ends each", t.id)
	case id == "" || id == t.id: // an answer without an id is for the one open question
	case id == t.last:
		return false, foreign.MalformedAnswerError(
			"comes twice: the question %s was answered before; one line with a label ends each", id)
	default:
		return false, foreign.WrongIDError(id, t.id)
	}
	if e, ok := d.Event(); ok {
		return false, t.events.Emit(ctx, e)
	}
	if t.answer, err = t.events.ReadAnswer(ctx, d, t.paths); err != nil {
		return false, err
	}
	return true, t.answer.Validate()
}
