package eval

import (
	"context"
	"slices"
	"time"

	"evalctl/agent/clock"
	"evalctl/agent/llm"
	"evalctl/agent/trace"
)

// row makes the trial's result of its outcome; err is why there is no answer.
func (t Trial) row(ctx context.Context, o Outcome, err error) Result {
	r := Result{
		Key: t.Key(), Suite: t.Cell.Suite, Case: t.Case.ID, Variant: t.Cell.Variant,
		Fault: t.Cell.Fault, Epoch: t.Epoch, Took: Millis(o.Took), Outcome: o,
		Fallbacks: []Fallback{}, Nodes: []NodeTime{}, Loops: []Loop{}, Scores: []Score{},
	}
	var spent bill
	for i, p := range o.Turns {
		r.addEvents(p.Events)
		for _, e := range p.Events {
			if e.Kind == trace.KindSpan {
				spent.add(e.Span, t.Cell.Prices)
			}
		}
		if i < len(t.Case.Turns) {
			rounds, bad := loops(i+1, t.Case.Turns[i], p.Events, t.Cell.Prices)
			if r.Loops = append(r.Loops, rounds...); bad != nil {
				r.Error = &Error{Kind: ScorerError, Message: t.Case.Pos + ": " + bad.Error()}
			}
		}
	}
	r.Calls, r.Tokens, r.Cost = spent.calls, spent.tokens, spent.dollars()
	r.show(len(o.Turns))
	if err != nil {
		r.Error = Classify(err)
	}
	t.score(ctx, &r)
	return r
}

// score lets every scorer judge what is there to judge. With an error, of the
// trial or of a scorer, all stay unjudged: an error is no wrong answer.
func (t Trial) score(ctx context.Context, r *Result) {
	for _, s := range t.Cell.Scorers {
		var score Score
		err := clock.Protect("scorer", func() (err error) {
			score, err = s.Score(ctx, t.Case, r.Outcome)
			return err
		})
		if err != nil && r.Error == nil {
			r.Error = &Error{Kind: ScorerError, Message: err.Error()}
		}
		r.add(score)
	}
	if r.Error == nil {
		return
	}
	r.Correct = nil
	for i := range r.Scores {
		r.Scores[i].Verdict, r.Scores[i].Value = Unjudged, 0
	}
}

// add keeps a score. Of those that judge the whole answer the last judged one
// decides whether the trial is correct: scorers stand in the order of their say.
func (r *Result) add(s Score) {
	if s.Name == "" {
		return
	}
	r.Scores = append(r.Scores, s)
	if s.Aspect {
		return
	}
	if len(s.Want) > 0 && r.Expected == nil {
		r.show(s.Turn)
		r.Predicted, r.Expected = s.Got, s.Want
	}
	if s.Verdict != Unjudged {
		ok := s.Verdict == Pass
		r.Correct = &ok
	}
}

// show has the row speak of one turn, from 1: the judged one, else the last.
func (r *Result) show(turn int) {
	if turn < 1 || turn > len(r.Outcome.Turns) {
		return
	}
	p := r.Outcome.Turns[turn-1]
	r.Predicted, r.Served, r.Source = p.Reply.Predicted, p.Reply.Served, p.Reply.Source
	r.Rule, r.Confidence = p.Reply.Rule, p.Reply.Confidence
	r.Failure, r.Reason = "", ""
	if f := p.Reply.Failure; f != nil {
		r.Failure, r.Reason = f.Code, f.Reason
	}
	r.TTFT = firstChunk(p.Events)
}

func (r *Result) addEvents(events []trace.Event) {
	visits := visits{}
	for _, e := range events {
		switch e.Kind {
		case trace.KindFallback:
			r.Fallbacks = append(r.Fallbacks, Fallback{From: e.From, To: e.To, Reason: e.Reason})
		case trace.KindSpan:
			visits.add(e.Node, e.Span)
		case trace.KindTimeout: // also of a task whose polls were all answered
			visits.failed(e.Node, llm.KindTimeout)
		}
		if turnedDown(e) {
			visits.failed(e.Node, llm.Kind(e.Reason))
		}
	}
	r.Nodes = append(r.Nodes, visits...)
}

// turnedDown tells that something else stands in for a node's answer.
func turnedDown(e trace.Event) bool {
	if e.Kind != trace.KindRoute && e.Kind != trace.KindFallback {
		return false
	}
	return e.Reason == string(llm.KindInvalid) || e.Reason == string(llm.KindEmpty) || e.Reason == trace.LowConfidence
}

// visits are a turn's nodes: a node's time runs from its first call's start to
// its last call's end, polls and back-off included, as the user waits for it.
type visits []NodeTime

func (v *visits) add(node string, s *trace.Span) {
	i := slices.IndexFunc(*v, func(n NodeTime) bool { return n.Node == node })
	if i < 0 {
		*v = append(*v, NodeTime{Node: node, start: s.Start})
		i = len(*v) - 1
	}
	n := &(*v)[i]
	n.start = min(n.start, s.Start)
	n.end = max(n.end, s.Start+s.Duration)
	n.Took = Millis(n.end - n.start)
	n.Calls++
	n.Failed = llm.Kind(s.Error)
}

// failed has a node's work come to nothing behind its last call.
func (v visits) failed(node string, kind llm.Kind) {
	for i, n := range v {
		if n.Node == node && n.Failed == "" {
			v[i].Failed = kind
		}
	}
}

// firstChunk is when the first piece of the answer came; nil: none was streamed.
func firstChunk(events []trace.Event) *Millis {
	for _, e := range events {
		if e.Kind == trace.KindChunk {
			at := Millis(max(e.At, time.Duration(0)))
			return &at
		}
	}
	return nil
}
