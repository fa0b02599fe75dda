package scholar

import (
	"context"
	"strings"

	"evalctl/agent/llm"
	"evalctl/agent/trace"
)

// generateAnswer is a node: the answer of what was gathered, by the prompt of the
// intent.
func (r *run) generateAnswer(ctx context.Context) error {
	switch r.strategy {
	case fullContent:
		r.material = r.docs[0].Text
	case multiDocSummary:
		if err := r.condense(ctx); err != nil {
			return err
		}
	}
	system, err := r.template().Fill(places{Context: r.material, Question: r.turn.Text, Gaps: r.gapsNote()})
	if err != nil {
		return err
	}
	if err := r.stream(ctx, "answer", answerNode, r.messages(system, answerTurns)); err != nil {
		return err
	}
	if note := r.missing(); note != "" {
		r.reply.Content += note
		trace.Emit(ctx, trace.Event{Kind: trace.KindChunk, Node: answerNode, Text: note})
	}
	r.reply.Served = r.intent
	return nil
}

// template is the prompt of the answer.
func (r *run) template() llm.Prompt {
	switch {
	case r.strategy == multiDocSummary:
		return r.closing()
	case r.intent == reviewGeneration:
		return r.Prompts.Review
	case r.intent == paperReview:
		return r.Prompts.Critique
	case r.intent == literatureQA:
		return r.Prompts.QA
	default:
		return r.Prompts.Single
	}
}

// gapsNote tells the answering model of which documents nothing is known.
func (r *run) gapsNote() string {
	if len(r.gaps) == 0 {
		return ""
	}
	return "\n以下文献没有可用的内容，不要编造：" + strings.Join(r.gaps, "、") + "\n"
}

// missing tells the user of documents that the answer does not know: how many, and the
// names of the first.
func (r *run) missing() string {
	if len(r.gaps) == 0 {
		return ""
	}
	const most = 20
	names, more := r.gaps, [2]string{"", ""}
	if len(names) > most {
		names, more = names[:most], [2]string{" 等", ", …"}
	}
	return r.say("\n\n（以下文献未能总结，没有计入："+strings.Join(names, "、")+more[0]+"）",
		"\n\n(Left out, because they could not be summarised: "+strings.Join(names, ", ")+more[1]+")")
}
