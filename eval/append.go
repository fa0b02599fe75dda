package eval

import (
	"encoding/json"
	"math"
	"strconv"
	"unicode/utf8"

	"evalctl/agent"
)

// AppendJSON appends the result to b as one JSON object. The output equals that of encoding/json,
// but writing it is faster. Every trial of a run writes one result.
func (r *Result) AppendJSON(b []byte) ([]byte, error) {
	w := object{b: append(b, '{')}
	w.text("key", r.Key)
	w.text("suite", r.Suite)
	w.text("case", r.Case)
	w.text("variant", r.Variant)
	w.text("fault", r.Fault)
	w.integer("epoch", int64(r.Epoch))
	w.text("text", r.Text)
	list(&w, "tags", r.Tags, (*object).string)
	w.text("language", r.Language)
	w.text("predicted", r.Predicted)
	w.oneOf("expected", r.Expected)
	w.text("answered_by", r.AnsweredBy)
	w.text("decided_by", r.DecidedBy)
	w.text("rule", r.Rule)
	w.nullable("confidence", r.Confidence == nil, func() { w.float(*r.Confidence) })
	w.nullable("correct", r.Correct == nil, func() { w.bool(*r.Correct) })
	list(&w, "fallbacks", r.Fallbacks, marshal[Fallback])
	w.millis("duration_ms", r.Duration)
	w.nullable("ttft_ms", r.TTFT == nil, func() { w.duration(*r.TTFT) })
	list(&w, "turns", r.Turns, (*object).turn)
	list(&w, "nodes", r.Nodes, (*object).node)
	list(&w, "loops", r.LoopRounds, marshal[LoopRound])
	w.text("error_reply", r.ErrorReply)
	w.text("error_reply_cause", r.ErrorReplyCause)
	w.integer("calls", r.Calls)
	w.tokens("tokens", r.Tokens)
	w.nullable("cost", r.Cost == nil, func() { w.float(*r.Cost) })
	w.nullable("error", r.Error == nil, func() { marshal(&w, r.Error) })
	list(&w, "scores", r.Scores, (*object).score)
	w.nonZero("peak_calls", r.PeakCalls)
	w.nonZero("external_requests", r.ExternalRequests)
	if r.Cache != (CacheStats{}) {
		w.any("cache", r.Cache)
	}
	w.nonZero("cached_calls", r.CachedCalls)
	if len(r.Compressions) > 0 {
		w.any("compressions", r.Compressions)
	}
	if r.QueueTime != 0 {
		w.millis("queued_ms", r.QueueTime)
	}
	w.nonZero("rate_limited", r.RateLimitedRequests)
	w.nonZero("retried", r.RetriedRequests)
	if r.Backoff != 0 {
		w.millis("backoff_ms", r.Backoff)
	}
	if r.Grading != nil {
		w.any("grading", r.Grading)
	}
	if len(r.TriggeredFaults) > 0 {
		list(&w, "triggered_faults", r.TriggeredFaults, (*object).string)
	}
	w.optionalText("case_hash", string(r.CaseHash))
	return append(w.b, '}'), w.err
}

func (w *object) turn(t TurnSummary) {
	if len(t.Steps) > 0 || t.ResumesTurn != 0 {
		marshal(w, t)
		return
	}
	w.b = append(w.b, '{')
	w.millis("duration_ms", t.Duration)
	w.nullable("ttft_ms", t.TTFT == nil, func() { w.duration(*t.TTFT) })
	w.name("answered")
	w.bool(t.Answered)
	w.optionalText("error_reply", t.ErrorReply)
	w.optionalText("error_reply_cause", t.ErrorReplyCause)
	w.optionalText("decided_by", t.DecidedBy)
	if t.ModelDecision != nil {
		w.name("model_decision")
		w.modelDecision(*t.ModelDecision)
	}
	w.flag("episode", t.HasDecisionSequence)
	w.flag("asks_user", t.AsksUser)
	if t.CachedCalls != 0 {
		w.integer("cached_calls", t.CachedCalls)
	}
	w.flag("batched", t.IsDeferred)
	w.b = append(w.b, '}')
}

func (w *object) modelDecision(o agent.ModelDecision) {
	w.b = append(w.b, '{')
	w.text("label", o.Label)
	if o.Confidence != nil {
		w.number("confidence", *o.Confidence)
	}
	w.optionalText("if_accepted", o.DecisionIfAccepted)
	w.optionalText("if_rejected", o.DecisionIfRejected)
	w.b = append(w.b, '}')
}

func (w *object) node(n NodeVisit) {
	w.b = append(w.b, '{')
	w.text("node", n.Node)
	if n.Turn != 0 {
		w.integer("turn", int64(n.Turn))
	}
	w.millis("duration_ms", n.Duration)
	w.integer("calls", n.Calls)
	list(w, "call_durations_ms", n.CallDurations, (*object).duration)
	if n.CachedCalls != 0 {
		w.integer("cached_calls", n.CachedCalls)
	}
	w.optionalText("call_error", string(n.CallError))
	if n.Cost != nil {
		w.number("cost", *n.Cost)
	}
	w.b = append(w.b, '}')
}

func (w *object) score(s Score) {
	if len(s.Turns) > 0 || len(s.FactsInAnswers) > 0 {
		marshal(w, s)
		return
	}
	w.b = append(w.b, '{')
	w.text("name", s.Name)
	w.optionalText("verdict", string(s.Verdict))
	w.number("value", s.Value)
	w.optionalText("reason", s.Reason)
	if s.Turn != 0 {
		w.integer("turn", int64(s.Turn))
	}
	w.optionalText("actual", s.Actual)
	if len(s.Expected) > 0 {
		w.oneOf("expected", s.Expected)
	}
	w.b = append(w.b, '}')
}

// object is a JSON object under construction.
type object struct {
	b   []byte
	err error
}

func (w *object) name(name string) {
	if w.b[len(w.b)-1] != '{' {
		w.b = append(w.b, ',')
	}
	w.b = append(append(append(w.b, '"'), name...), `":`...)
}

func (w *object) text(name, value string) {
	w.name(name)
	w.string(value)
}

func (w *object) optionalText(name, value string) {
	if value != "" {
		w.text(name, value)
	}
}

func (w *object) flag(name string, on bool) {
	if on {
		w.name(name)
		w.bool(on)
	}
}

func (w *object) integer(name string, value int64) {
	w.name(name)
	w.b = strconv.AppendInt(w.b, value, 10)
}

func (w *object) number(name string, value float64) {
	w.name(name)
	w.float(value)
}

func (w *object) tokens(name string, value Tokens) {
	w.name(name)
	w.b = append(w.b, '{')
	w.integer("in", value.In)
	w.integer("out", value.Out)
	if value.UnreportedCalls != 0 {
		w.integer("unreported_calls", value.UnreportedCalls)
	}
	w.b = append(w.b, '}')
}

func (w *object) millis(name string, value Millis) {
	w.name(name)
	w.duration(value)
}

func (w *object) oneOf(name string, value OneOf) {
	if len(value) == 1 {
		w.text(name, value[0])
		return
	}
	list(w, name, value, (*object).string)
}

func (w *object) any(name string, value any) {
	w.name(name)
	marshal(w, value)
}

// nullable writes a member of the object. Its value is null if null is set, or else the value that
// write appends.
func (w *object) nullable(name string, null bool, write func()) {
	w.name(name)
	if null {
		w.b = append(w.b, "null"...)
		return
	}
	write()
}

func list[T any](w *object, name string, values []T, write func(*object, T)) {
	w.name(name)
	if values == nil {
		w.b = append(w.b, "null"...)
		return
	}
	w.b = append(w.b, '[')
	for i, v := range values {
		if i > 0 {
			w.b = append(w.b, ',')
		}
		write(w, v)
	}
	w.b = append(w.b, ']')
}

func (w *object) bool(v bool) { w.b = strconv.AppendBool(w.b, v) }

func (w *object) duration(v Millis) { w.b = v.append(w.b) }

// float appends a number. encoding/json writes numbers that need an exponent, and returns the error
// for numbers that JSON cannot represent.
func (w *object) float(v float64) {
	if size := math.Abs(v); v != 0 && !(size >= 1e-6 && size < 1e21) {
		marshal(w, v)
		return
	}
	w.b = strconv.AppendFloat(w.b, v, 'f', -1, 64)
}

func (w *object) string(v string) {
	if !isPlain(v) {
		marshal(w, v)
		return
	}
	w.b = append(append(append(w.b, '"'), v...), '"')
}

// isPlain reports whether a text needs no escaping in JSON.
func isPlain(text string) bool {
	for _, r := range text {
		switch {
		case r < ' ', r == '"', r == '\\', r == '<', r == '>', r == '&', r == '\u2028', r == '\u2029',
			r == utf8.RuneError:
			return false
		}
	}
	return true
}

func marshal[T any](w *object, v T) {
	text, err := json.Marshal(v)
	if err != nil && w.err == nil {
		w.err = err
	}
	w.b = append(w.b, text...)
}

func (w *object) nonZero(name string, n int64) {
	if n != 0 {
		w.integer(name, n)
	}
}
