package scholar

import (
	"context"
	"fmt"
	"strings"

	"evalctl/agent/tokens"
)

// begin parses the turn and computes how many tokens its documents may use. An invalid turn gets an
// error reply and is not an error.
func (r *run) begin(ctx context.Context) error {
	r.memory = r.Sessions.Load(ctx, r.turn.SessionKey(), r.turn.History)
	if err := r.memory.Err(); err != nil {
		return err
	}
	err := r.read(ctx)
	if no, ok := err.(*rejection); ok {
		r.rejectTurn(ctx, initNode, *no)
		return nil
	}
	return err
}

func (r *run) read(ctx context.Context) (err error) {
	switch {
	case strings.TrimSpace(r.turn.Text) == "":
		return newRejection(emptyInput, "我没有收到内容，请再说一遍。", "I received nothing. Please say it again.")
	case len(r.turn.Text) > maxText:
		return newRejection(textTooLong, fmt.Sprintf("消息有 %d 字节，超过了 %d 字节，请缩短，或作为文献附上。", len(r.turn.Text), maxText),
			fmt.Sprintf("The message has %d bytes, more than %d. Please shorten it, or attach it as a document.",
				len(r.turn.Text), maxText))
	}
	if r.params, err = readParams(r.turn.Options); err != nil {
		return newRejection(badOptions, "参数有误："+err.Error(), "An option is wrong: "+err.Error())
	}
	if err := r.checkEndpoint(); err != nil {
		return err
	}
	if err := r.checkEngine(); err != nil {
		return err
	}
	if err := r.readDocuments(ctx); err != nil {
		return err
	}
	if r.DecisionOnly {
		return nil
	}
	return r.makeRoom(ctx)
}

// makeRoom computes how many tokens of the context window remain for documents. If the conversation
// is too long, it compresses the conversation. If too few tokens remain, it rejects the turn with a
// message that contains the numbers.
func (r *run) makeRoom(ctx context.Context) error {
	r.budget = contextBudget{
		context: r.ContextTokens,
		query:   tokens.Count(r.turn.Text),
		system:  r.SystemTokens,
		answer:  r.AnswerTokens,
	}
	if r.params.context > 0 {
		r.budget.context = r.params.context
	}
	if err := r.compress(ctx); err != nil {
		return err
	}
	r.budget.session = r.memory.Tokens()
	if left := r.budget.available(); left <= 0 || len(r.docs) > 0 && left < minDocumentTokens {
		return r.budget.refusal()
	}
	return nil
}

func (r contextBudget) refusal() error {
	return newRejection(noRoom,
		fmt.Sprintf("上下文放不下：窗口 %d − 会话 %d − 提问 %d − 系统提示 %d − 预留回答 %d = %d 个 token，没有空间了。", r.context, r.session,
			r.query, r.system, r.answer, r.available()),
		fmt.Sprintf("There is no room left: a context of %d − session %d − question %d − system prompt %d − reserved answer %d = %d tokens.", r.context, r.session, r.query, r.system, r.answer, r.available()))
}
