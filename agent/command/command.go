// Package command is the target exec (--target exec), an agent that is a program, whoever
// wrote it and in whatever language: a turn goes to its standard input as a line of JSON, and a line of JSON on
// its standard output, with the same id, names one of anybody's labels. A process answers
// one turn at a time.
package command

import (
	"cmp"
	"context"
	"errors"
	"sync"
	"time"

	"evalctl/agent/foreign"
	"evalctl/agent/llm"
	"evalctl/agent/trace"
)

// provider names the program in spans and errors.
const provider = "exec"

// ProcessTransport asks processes of a pool: the same one from turn to turn, unless it is busy
// or has died. It is safe for concurrent use.
type ProcessTransport struct {
	Pool    *ProcessPool
	Model   string        // names the spans, and so the price; "": none
	Timeout time.Duration // of an answer; 0: llm.DefaultTimeout

	mu   sync.Mutex
	mine *process // kept between turns; nil: none is, or it is at work
}

var _ foreign.Transport = (*ProcessTransport)(nil)

// Policy has a process asked once.
func (c *ProcessTransport) Policy(foreign.Request) llm.Policy {
	return llm.Policy{Node: foreign.Node, Provider: provider, Model: c.Model, Timeout: c.Timeout, Retries: llm.NoRetries}
}

// Exchange asks a process. One that does not answer as it should is ended: what it would
// say next could be taken for the answer to another question.
func (c *ProcessTransport) Exchange(ctx context.Context, q foreign.Request, t *foreign.EventReader) (a foreign.Answer, err error) {
	line, err := q.JSON()
	if err != nil {
		return a, &llm.Error{Kind: llm.KindBadRequest, Err: err}
	}
	line = append(line, '\n')
	var heard string // on stderr
	for again := true; again; {
		a, heard, again, err = c.attempt(ctx, q.ID, line, t)
	}
	if heard != "" {
		trace.Emit(ctx, trace.Event{Kind: trace.KindStderr, Node: foreign.Node, Text: heard})
	}
	return a, err
}

// attempt asks one process. Another is to be asked where that one had answered before
// and has left in peace: some programs answer once.
func (c *ProcessTransport) attempt(ctx context.Context, id string, line []byte, teller *foreign.EventReader) (a foreign.Answer, heard string, again bool, err error) {
	p, line, err := c.reading(ctx, line)
	if err != nil {
		return a, "", false, err
	}
	t := &telling{id: id, last: p.answered, teller: teller}
	err = p.exchange(ctx, line, func(line []byte) (bool, error) { return t.line(ctx, line) })
	if err != nil {
		err = explain(p, err)
		heard, again = p.said(), p.answered != "" && !t.begun && p.leftInPeace()
		c.Pool.drop(p)
		return a, heard, again, err
	}
	heard, p.answered = p.said(), id
	c.keep(p)
	return t.answer, heard, false, nil
}

// explain says of a program's failure which kind it is.
func explain(p *process, err error) error {
	switch {
	case errors.Is(err, errDied):
		return &llm.Error{Kind: llm.KindTransport, Message: p.obituary()}
	case errors.Is(err, errTooLong):
		return &llm.Error{Kind: llm.KindMalformedResponse, Message: err.Error()}
	}
	return err
}

// reading is a process that reads its questions, and what is left to send it of this one. The
// start of a new one is a wait in a queue, and no part of the answer's time.
func (c *ProcessTransport) reading(ctx context.Context, line []byte) (p *process, rest []byte, err error) {
	if p, err = c.spare(); p != nil {
		return p, line, nil
	}
	defer trace.BeginQueue(ctx)()
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

// spare is the conversation's own process, else one that nobody has; nil: there is none.
func (c *ProcessTransport) spare() (*process, error) {
	c.mu.Lock()
	own := c.mine
	c.mine = nil
	c.mu.Unlock()
	if own != nil && !own.isDead() {
		return own, nil
	}
	if own != nil {
		c.Pool.drop(own)
	}
	return c.Pool.spare()
}

// keep keeps a process for the next turn.
func (c *ProcessTransport) keep(p *process) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.mine == nil {
		c.mine = p
		return
	}
	c.Pool.give(p)
}

// Close gives the process back.
func (c *ProcessTransport) Close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.mine != nil {
		c.Pool.give(c.mine)
		c.mine = nil
	}
	return nil
}

// telling is an answer under way.
type telling struct {
	id     string
	last   string // the question before, which is answered
	teller *foreign.EventReader
	answer foreign.Answer
	begun  bool // something came
}

// paths are where a program's answer has what.
var paths = func() foreign.AnswerPaths {
	p := foreign.DefaultPaths()
	p.ID = "/id"
	return p
}()

// line takes in a line: an event, or the answer, which is the last one.
func (t *telling) line(ctx context.Context, line []byte) (done bool, err error) {
	t.begun = true
	d, err := foreign.Read(line)
	if err != nil {
		return false, err
	}
	switch id := d.ID(paths); {
	case id != "" && id == t.last:
		return false, foreign.MalformedError("comes twice: the question %s was answered before; one line with a label ends each", id)
	case id != t.id:
		return false, foreign.WrongIDError(id, t.id)
	}
	if e, ok := d.Event(); ok {
		return false, t.teller.Emit(ctx, e)
	}
	if t.answer, err = t.teller.ReadAnswer(ctx, d, paths); err != nil {
		return false, err
	}
	return true, t.answer.Validate()
}
