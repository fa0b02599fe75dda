package scholar

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"evalctl/agent"
	"evalctl/agent/llm"
	"evalctl/agent/trace"
)

// Codes of error replies.
const (
	emptyInput        = "EMPTY_INPUT"
	textTooLong       = "TEXT_TOO_LONG"
	badOptions        = "BAD_OPTIONS"
	badDocuments      = "BAD_DOCUMENTS"
	unknownDocument   = "UNKNOWN_DOCUMENT"
	tooManyDocuments  = "TOO_MANY_DOCUMENTS"
	documentsTooLarge = "DOCUMENTS_TOO_LARGE"
	emptyDocument     = "EMPTY_DOCUMENT"
	noRoom            = "NO_ROOM"
	recallFailed      = "RECALL_FAILED"
	summariesFailed   = "SUMMARIES_FAILED"
	answerFailed      = "ANSWER_FAILED"
	chatFailed        = "CHAT_FAILED"
	unknownError      = "UNKNOWN_ERROR"
)

// errorReplies contains the messages of error replies in Chinese and English, by code.
var errorReplies = map[string][2]string{
	recallFailed: {"抱歉，文献检索没有成功，暂时无法根据文献回答，请稍后再试。",
		"Sorry, the documents could not be searched, so I cannot answer from them. Please try again later."},
	summariesFailed: {"抱歉，所有文献的总结都没有成功，暂时无法回答，请稍后再试。",
		"Sorry, none of the documents could be summarized. Please try again later."},
	answerFailed: {"抱歉，生成回答时出了问题，请稍后再试。",
		"Sorry, something went wrong while I was writing the answer. Please try again later."},
	chatFailed:   {"抱歉，我暂时没能回复，请稍后再说一次。", "Sorry, I could not reply just now. Please say it again in a moment."},
	unknownError: {"抱歉，出了点意外，请稍后再试。", "Sorry, something went wrong. Please try again later."},
}

// rejection is an error for a turn that cannot be answered, with messages for the user in Chinese
// and English.
type rejection struct{ code, zh, en string }

func (r *rejection) Error() string { return r.en }

func newRejection(code, zh, en string) error { return &rejection{code: code, zh: zh, en: en} }

// localized returns zh or en, depending on the language of the user's message.
func (r *run) localized(zh, en string) string {
	return agent.Localize(r.turn.Text, zh, en)
}

// rejectTurn sets the error reply for a rejected turn.
func (r *run) rejectTurn(ctx context.Context, node string, no rejection) {
	r.fail(ctx, agent.ErrorReply{Code: no.code, Message: r.localized(no.zh, no.en), Node: node})
}

// failWith sets the error reply with this code. reason is recorded in the trace.
func (r *run) failWith(ctx context.Context, node, code, reason string) {
	fallback(ctx, node, node, failed, reason)
	messages := errorReplies[code]
	if code == recallFailed && reason == string(llm.KindBadRequest) {
		messages = r.rejectedQueryMessages()
	}
	r.fail(ctx, agent.ErrorReply{
		Code:    code,
		Message: r.localized(messages[0], messages[1]),
		Node:    node,
		Cause:   reason,
	})
}

// rejectedQueryMessages returns the messages to the user if the retrieval service rejects a query
// as invalid. They name the retrieval parameters in the request. If it has none, they mention the
// settings of the operator.
func (r *run) rejectedQueryMessages() [2]string {
	var names []string
	for _, name := range slices.Sorted(maps.Keys(r.turn.Options)) {
		if strings.HasPrefix(name, "recall_") {
			names = append(names, name)
		}
	}
	if names == nil {
		return [2]string{"抱歉，文献检索服务不接受这样的请求，请联系管理员检查检索的设置（如 datasets）。",
			"Sorry, the retrieval service refuses such requests. Please have its settings (such as datasets) checked."}
	}
	return [2]string{"抱歉，文献检索服务不接受这次的参数，请检查 " + strings.Join(names, "、") + " 的取值。",
		"Sorry, the retrieval service refuses this request. Please check the value of " +
			strings.Join(names, ", ") + "."}
}

func (r *run) fail(ctx context.Context, f agent.ErrorReply) {
	raw, err := json.Marshal(f.WithoutCause())
	if err != nil {
		raw = nil // cannot happen: strings can always be encoded
	}
	trace.Emit(ctx, trace.Event{Kind: trace.KindError, Node: f.Node, Data: raw})
	r.reply.ErrorReply = &f
	r.reply.Content = f.Message
	r.reply.AnsweredBy = failed
}
