package scholar

import (
	"context"

	"evalctl/agent/llm"
	"evalctl/agent/trace"
)

// generateAnswer is the node that writes the answer from the collected material, with the prompt
// for the intent.
func (r *run) generateAnswer(ctx context.Context) error {
	switch r.strategy {
	case fullContent:
		r.material = r.docs[0].name() + "\n" + r.docs[0].Text
	case multiDocSummary:
		if err := r.condense(ctx); err != nil {
			return err
		}
	}
	if r.strategy == chunkRecall && len(r.docs) > 1 && len(r.contextDocs) > 0 {
		r.findGaps(ctx)
	}
	system, err := r.template().Fill(promptData{Context: r.material, Question: r.turn.Text, Gaps: r.gapsNote()})
	if err != nil {
		return err
	}
	if err := r.stream(ctx, "answer", answerNode, r.messages(system, answerTurns)); err != nil {
		return err
	}
	r.checkCitations(ctx)
	if note := r.missingNote(); note != "" {
		r.reply.Content += note
		trace.Emit(ctx, trace.Event{Kind: trace.KindChunk, Node: answerNode, Text: note})
	}
	r.reply.AnsweredBy = r.intent
	return nil
}

// template returns the prompt for the answer, depending on the intent and the material.
func (r *run) template() llm.Prompt {
	switch {
	case r.strategy == multiDocSummary:
		return r.finalPrompt()
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
