package play

import (
	"strings"

	"evalctl/agent/llm"
	"evalctl/agent/trace"
	"evalctl/eval"
)

// isUnanswered reports whether a call with this error returned no answer, as after a timeout.
func isUnanswered(kind llm.ErrorKind) bool {
	switch kind {
	case llm.KindTimeout, llm.KindRateLimited, llm.KindServerError, llm.KindConnectionReset, llm.KindTransport,
		llm.KindAuth, llm.KindNoBalance, llm.KindNotFound, llm.KindMalformedResponse, llm.KindTruncated, llm.KindEmptyContent:
		return true
	}
	return isRefusal(kind)
}

// isRefusal reports whether the error is caused by this request, so that the endpoint itself works.
func isRefusal(kind llm.ErrorKind) bool {
	return kind == llm.KindBadRequest || kind == llm.KindContentBlocked
}

// failureStreak counts the consecutive trials that an endpoint did not answer.
type failureStreak struct {
	trials  int
	cases   map[string]struct{}
	message string // error message of the first trial of the streak
}

func (s *failureStreak) add(r eval.Result) int {
	s.trials++
	s.cases[r.Suite+"/"+r.Case] = struct{}{}
	return s.trials
}

// failure returns the error message of a trial, or else the message of its first failed call.
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
	return "" // the trial has no trace
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
