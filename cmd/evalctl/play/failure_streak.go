package play

import (
	"strings"

	"evalctl/agent/llm"
	"evalctl/agent/trace"
	"evalctl/eval"
)

// isLost tells a call that brought no answer, good or bad.
func isLost(kind llm.ErrorKind) bool {
	switch kind {
	case llm.KindTimeout, llm.KindRateLimited, llm.KindServerError, llm.KindReset, llm.KindTransport,
		llm.KindAuth, llm.KindNoBalance, llm.KindNotFound, llm.KindMalformedResponse, llm.KindTruncated, llm.KindEmptyContent:
		return true
	}
	return isRefusal(kind)
}

// isRefusal tells a loss that lies with the one question: another may be answered.
func isRefusal(kind llm.ErrorKind) bool {
	return kind == llm.KindBadRequest || kind == llm.KindContentBlocked
}

// failureStreak is what an endpoint lost since it last answered.
type failureStreak struct {
	trials int
	cases  map[string]struct{}
	why    string // of the first
}

// add counts a lost trial, and says how many there are.
func (s *failureStreak) add(r eval.Result) int {
	s.trials++
	s.cases[r.Suite+"/"+r.Case] = struct{}{}
	return s.trials
}

// failure is what the first failed call said, else why the trial has no answer.
func failure(r eval.Result) string {
	if r.Error != nil {
		return r.Error.Error()
	}
	for _, turn := range r.Outcome.Turns {
		for _, e := range turn.Events {
			if e.Kind == trace.KindSpan && e.Span.Error != "" {
				return e.Node + ": " + e.Span.Error + ": " + e.Span.Message
			}
		}
	}
	return "" // no trace is left
}

func because(why string) string {
	if why == "" {
		return ""
	}
	if at, rest, ok := strings.Cut(why, ": connect: connection refused"); ok {
		address := at[strings.LastIndex(at, " ")+1:]
		return ". First error: " + address + " refused the connection (is it running?)" + rest
	}
	return ". First error: " + why
}
