package eval

import (
	"context"
	"slices"
	"strings"
	"time"

	"evalctl/agent"
	"evalctl/agent/clock"
	"evalctl/agent/llm"
	"evalctl/agent/trace"
)

// row converts an outcome to a result. err is the reason why there is no answer; nil: there is an
// answer.
func (t Trial) row(ctx context.Context, o Outcome, err error) Result {
	r := Result{
		Key:        t.Key(),
		Suite:      t.Condition.Suite,
		Case:       t.Case.ID,
		Variant:    t.Condition.Variant,
		Fault:      t.Condition.Fault,
		Epoch:      t.Epoch,
		Duration:   Millis(o.Duration),
		Outcome:    o,
		Tags:       slices.Concat([]string{}, t.Case.Tags),
		Turns:      t.turnRows(o.Turns, err),
		CaseHash:   t.Case.Fingerprint,
		Fallbacks:  []Fallback{},
		Nodes:      []NodeVisit{},
		LoopRounds: []LoopRound{},
		Scores:     []Score{},
	}
	var spent bill
	for i, p := range o.Turns {
		r.addEvents(i+1, p.Events, t.Condition.Prices)
		r.PeakCalls = max(r.PeakCalls, peak(t.Condition.ModelNodes, p.Events))
		for _, e := range p.Events {
			if e.Kind == trace.KindSpan {
				spent.add(e.Span, t.Condition.Prices)
				r.QueueTime += Millis(e.Span.QueueTime)
				r.RateLimitedRequests += e.Span.RateLimitedRequests
				r.Backoff += Millis(e.Span.Backoff)
				if e.Span.Attempt > 1 && !e.Span.FromCache {
					r.RetriedRequests++
				}
			}
		}
		if i < len(t.Case.Turns) {
			rounds, bad := loops(i+1, t.Case.Turns[i], p, t.Condition.Prices, t.Condition.RealCritic)
			if r.LoopRounds = append(r.LoopRounds, rounds...); bad != nil {
				r.Error = &Error{Kind: ScorerError, Message: t.Case.Pos + ": " + bad.Error()}
			}
		}
	}
	for _, turn := range r.Turns {
		r.CachedCalls += turn.CachedCalls
	}
	r.Grading = grading(o.Turns, t.Condition.Prices)
	r.ExternalRequests = spent.externalRequests
	r.Calls, r.Tokens, r.Cost = spent.calls, spent.tokens, spent.usd()
	r.showTurn(len(o.Turns))
	if err != nil {
		r.Error = ClassifyError(err)
	}
	r.Outcome.Err = r.Error
	t.score(ctx, &r)
	r.setText(t.Case.Turns)
	return r
}

// MaxTextChars is the maximum length of the message text in a [Result], in characters.
const MaxTextChars = 200

// setText sets the text and the language of the result to those of the scored turn, or else of the
// last turn. Both come from the case, so the turn need not have run.
func (r *Result) setText(turns []LabeledTurn) {
	turn := len(turns)
	if i := slices.IndexFunc(r.Scores, func(s Score) bool { return !s.IsAttribute && len(s.Expected) > 0 }); i >= 0 {
		turn = min(turn, r.Scores[i].Turn)
	}
	if turn < 1 {
		return
	}
	text := turns[turn-1].Text
	r.Language = DetectLanguage(text)
	r.Text = truncate(text)
}

func truncate(text string) string {
	count := 0
	for at := range text {
		if count++; count > MaxTextChars {
			text = text[:at]
			break
		}
	}
	return strings.ToValidUTF8(text, "\ufffd")
}

// score runs all scorers of the condition. After an error of the target, only the decision stays
// scored, because it was made before the error. After an error of a scorer or of the harness,
// nothing stays scored.
func (t Trial) score(ctx context.Context, r *Result) {
	keepsDecision := r.Error == nil || r.Error.isTargetError()
	for _, s := range t.Condition.Scorers {
		var score Score
		err := clock.CatchPanic("scorer", func() (err error) {
			score, err = s.Score(ctx, t.Case, r.Outcome)
			return err
		})
		keepsDecision = keepsDecision && err == nil
		if err != nil && r.Error == nil {
			r.Error = &Error{Kind: ScorerError, Message: err.Error()}
		}
		r.add(score)
	}
	if r.Error != nil {
		r.removeVerdicts(keepsDecision)
	}
}

// removeVerdicts makes the scores of a trial with an error unscored. If keepsDecision is set, the
// verdicts of the decision remain, also those of single turns in an unscored conversation.
func (r *Result) removeVerdicts(keepsDecision bool) {
	r.Correct = nil
	for i := range r.Scores {
		s := &r.Scores[i]
		if keepsDecision && s.Name == RouteScore && s.Verdict != Unscored {
			r.Correct = new(s.Verdict == Pass)
			continue
		}
		if keepsDecision && s.Name == FaultCorrectScore { // this score rates the error itself
			continue
		}
		s.Verdict = Unscored
		s.Value = 0
		s.FactsInAnswers = nil
		for t := range s.Turns {
			if !keepsDecision || s.Name != RouteScore {
				s.Turns[t].Verdict = Unscored
			}
		}
		if !s.IsAttribute {
			r.Correct = nil // the fallback answer that the case expects is unscored
		}
	}
}

// add appends a score to the result. The last verdict on the whole answer decides whether the trial
// is correct, so the order of the scorers matters. A verdict on the answering component overrides a
// wrong decision only in the same turn.
func (r *Result) add(s Score) {
	if s.Name == "" {
		return
	}
	r.Scores = append(r.Scores, s)
	if s.IsAttribute {
		return
	}
	if len(s.Expected) > 0 && r.Expected == nil {
		r.showTurn(s.Turn)
		r.Predicted, r.Expected = s.Actual, s.Expected
	}
	if s.Verdict != Unscored {
		ok := s.Verdict == Pass && !r.isWrongElsewhere(s)
		r.Correct = &ok
	}
}

// isWrongElsewhere reports whether the decision is wrong in a turn that the score s does not cover.
func (r *Result) isWrongElsewhere(s Score) bool {
	return slices.ContainsFunc(r.Decisions(), func(j TurnScore) bool {
		judged := j.Turn == s.Turn || slices.ContainsFunc(s.Turns, func(o TurnScore) bool { return o.Turn == j.Turn })
		return j.Verdict == Fail && !judged
	})
}

// showTurn copies the fields of one turn, counted from 1, to the result.
func (r *Result) showTurn(turn int) {
	if turn < 1 || turn > len(r.Outcome.Turns) {
		return
	}
	p := r.Outcome.Turns[turn-1]
	r.Predicted = p.Reply.Predicted
	r.AnsweredBy = p.Reply.AnsweredBy
	r.DecidedBy = p.Reply.DecidedBy
	r.Rule, r.Confidence = p.Reply.Rule, p.Reply.ReportedConfidence()
	r.ErrorReply, r.ErrorReplyCause = "", ""
	if f := p.Reply.ErrorReply; f != nil {
		r.ErrorReply, r.ErrorReplyCause = f.Code, f.Cause
	}
	r.TTFT = firstChunk(p.Events)
}

// addEvents adds what the events of one turn report (fallbacks, faults, node visits, cache hits) to
// the result. turn counts from 1.
func (r *Result) addEvents(turn int, events []trace.Event, prices PriceFunc) {
	var nodes visits
	for _, e := range events {
		switch e.Kind {
		case trace.KindFallback:
			r.Fallbacks = append(r.Fallbacks, Fallback{From: e.From, To: e.To, Reason: e.Reason})
		case trace.KindSpan:
			nodes.add(e.Node, e.Span, prices)
		case trace.KindTimeout: // also for a task whose polls were all answered
			nodes.fail(e.Node, llm.KindTimeout)
		}
		if e.Kind == trace.KindFault {
			r.addTriggeredFault(e.Node + ":" + e.Reason)
		}
		if isRejected(e) {
			nodes.fail(e.Node, llm.ErrorKind(e.Reason))
		}
		if c, ok := ParseCompression(e); ok {
			r.Compressions = append(r.Compressions,
				Compression{Turn: turn, TokensBefore: int64(c.TokensBefore), TokensAfter: int64(c.TokensAfter)})
		}
		r.Cache.add(e)
		nodes.leaveOthers(e)
	}
	for _, n := range nodes {
		n.Node = strings.ToValidUTF8(n.Node[:min(len(n.Node), MaxNodeName)], "")
		n.Turn, n.Cost = turn, n.spent.usd()
		r.Nodes = append(r.Nodes, n.NodeVisit)
	}
}

func (r *Result) addTriggeredFault(fault string) {
	if !slices.Contains(r.TriggeredFaults, fault) {
		r.TriggeredFaults = append(r.TriggeredFaults, fault)
	}
}

// isRejected reports whether the event records that the answer of a node was rejected.
func isRejected(e trace.Event) bool {
	if e.Kind != trace.KindRoute && e.Kind != trace.KindNoDecision && e.Kind != trace.KindFallback {
		return false
	}
	kind := llm.ErrorKind(e.Reason)
	return kind.IsInvalidAnswer() || kind == llm.KindEmptyContent || kind == llm.KindTruncated ||
		e.Reason == trace.ReasonLowConfidence
}

// turnRows returns the results of the single turns of the case. err is the reason why the last
// turns failed or did not run.
func (t Trial) turnRows(results []TurnResult, err error) []TurnSummary {
	n := len(t.Case.Turns)
	rows := make([]TurnSummary, max(n, len(results)))
	failed := len(results) < n
	for i, p := range results {
		rows[i] = TurnSummary{
			Duration:            Millis(p.Duration),
			TTFT:                firstChunk(p.Events),
			Answered:            !p.HasError,
			DecidedBy:           p.Reply.DecidedBy,
			ModelDecision:       p.Reply.ModelDecision,
			Steps:               truncateSteps(p.Reply.Steps),
			HasDecisionSequence: len(p.Reply.Steps) > 1,
			IsDeferred:          p.Reply.IsDeferred && !p.HasError,
			AsksUser:            asksUser(p.Events),
		}
		rows[i].CachedCalls = cachedCalls(p.Events)
		failed = failed || p.HasError
		if f := p.Reply.ErrorReply; f != nil {
			rows[i].ErrorReply, rows[i].ErrorReplyCause = f.Code, f.Cause
		}
	}
	// for each session, the number of the last turn (from 1) that ended with a question to the user
	askedBySession := map[string]int{}
	for i, step := range t.Case.Turns {
		rows[i].HasDecisionSequence = rows[i].HasDecisionSequence || t.Condition.DecisionPathField != "" &&
			step.has(t.Condition.DecisionPathField)
		session := step.SessionKey()
		rows[i].ResumesTurn = askedBySession[session]
		delete(askedBySession, session)
		if rows[i].AsksUser && session != "" {
			askedBySession[session] = i + 1
		}
	}
	// the target does not report which turn failed, so the last one is marked
	if err != nil && !failed && len(rows) > 0 {
		rows[len(rows)-1].Answered = false
	}
	return rows
}

func cachedCalls(events []trace.Event) (n int64) {
	for _, e := range events {
		if e.Kind == trace.KindSpan && e.Span.FromCache {
			n++
		}
	}
	return n
}

func asksUser(events []trace.Event) bool {
	return slices.ContainsFunc(events, func(e trace.Event) bool { return e.Kind == trace.KindQuestion })
}

// maxSteps is the maximum number of decision steps that a result stores for one turn.
const maxSteps = 1_000

// truncateSteps limits the number of decision steps and the length of their texts. Both come from a
// model and could be arbitrarily large.
func truncateSteps(steps []agent.Step) (truncated []agent.Step) {
	for _, s := range steps[:min(len(steps), maxSteps)] {
		s.Proposed = truncate(s.Proposed)
		truncated = append(truncated, s)
	}
	return truncated
}

// firstChunk returns the time from the start of the turn to the first chunk; nil: not streamed.
func firstChunk(events []trace.Event) *Millis {
	for _, e := range events {
		if e.Kind == trace.KindChunk {
			at := Millis(max(e.Offset, time.Duration(0)))
			return &at
		}
	}
	return nil
}
