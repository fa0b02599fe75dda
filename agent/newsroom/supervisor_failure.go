package newsroom

import (
	"cmp"
	"errors"
	"fmt"

	"evalctl/agent/llm"
)

// maxSupervisorFailures is the number of consecutive failed calls of the supervisor that end the
// work. Each call has its own retries.
const maxSupervisorFailures = 2

// countFailure counts consecutive failed calls of the supervisor. err is the result of the last
// call. An answer resets the count, even if it cannot be used.
func (w *work) countFailure(err error) {
	kind := llm.KindOf(err)
	if err == nil || kind.IsInvalidAnswer() || kind == llm.KindEmptyContent || kind == llm.KindTruncated {
		w.supervisorFailures, w.supervisorErr = 0, nil
		return
	}
	w.supervisorFailures++
	w.supervisorErr = err
}

// isSupervisorDown reports whether further calls of the supervisor are pointless: several in a row
// failed, or the provider rejects all requests of this configuration.
func (w *work) isSupervisorDown() bool {
	switch llm.KindOf(w.supervisorErr) {
	case llm.KindAuth, llm.KindNoBalance, llm.KindNotFound:
		return true
	}
	return w.supervisorFailures >= maxSupervisorFailures
}

// failureCause returns the error kind of the failed call behind an error reply; "": none failed.
func (w *work) failureCause() string {
	if w.supervisorErr != nil {
		return llm.TraceReason(w.supervisorErr)
	}
	return w.first.reason
}

// callFailures describes failed calls for the user, in Chinese and English, by error kind.
var callFailures = map[llm.ErrorKind][2]string{
	llm.KindTimeout:         {"没有及时回应", "did not respond in time"},
	llm.KindServerError:     {"服务器出错", "reported a server error"},
	llm.KindRateLimited:     {"请求太多，暂时不再接受", "accepts no more requests for now"},
	llm.KindConnectionReset: {"连接中断", "closed the connection"},
	llm.KindTransport:       {"连接不上", "cannot be reached"},
	llm.KindAuth:            {"不接受 API key，或者没有权限", "rejected the API key or its permissions"},
	llm.KindNoBalance:       {"余额或额度不足", "reported that no balance or quota is left"},
	llm.KindNotFound:        {"没有这个模型或地址", "has no such model or address"},
	llm.KindBadRequest:      {"不接受请求", "rejected the request"},
	llm.KindContentBlocked:  {"内容被拦截", "blocked the content"},
}

// supervisorDownText describes the failure of the supervisor's provider, in the user's language.
func (w *work) supervisorDownText() string {
	say := w.phrases()
	failure := [2]string{"调用失败", "could not be called"}
	if known, ok := callFailures[llm.KindOf(w.supervisorErr)]; ok {
		failure = known
	}
	what := w.localize(failure)
	if e := (*llm.Error)(nil); errors.As(w.supervisorErr, &e) {
		what = cmp.Or(e.Provider, supervisorNode) + " " + what
		if e.Status != 0 {
			what += fmt.Sprintf(" (HTTP %d)", e.Status)
		}
	}
	text := fmt.Sprintf(say.down, what)
	if w.hasThreadID {
		text += say.resumable
	}
	return text
}
