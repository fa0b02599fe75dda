package toolrouter

import (
	"context"

	"evalctl/agent"
)

const drawingBanner = "🎨 正在生成图片..."

// generateImage generates the image that the user requests. The URL is in Reply.GeneratedImageURL,
// not in the text.
func (r *run) generateImage(ctx context.Context) error {
	r.emitBanner(ctx, drawingBanner)
	prompt, err := r.rewritePrompt(ctx)
	if err != nil {
		return err
	}
	image, err := r.Image.Generate(ctx, prompt)
	if err != nil {
		return err
	}
	r.reply.GeneratedImageURL = image.URL
	r.reply.ToolCalls = append(r.reply.ToolCalls, agent.ToolCall{Name: RouteImageGen, Input: prompt, Output: image.URL})
	r.emitChunk(ctx, inLanguageOf(r.turn.Text, "图片已经生成好了。", "Your picture is ready."))
	return nil
}

// rewritePrompt returns a prompt for the image generator. A model writes it from the request and
// the conversation. If the call fails, rewritePrompt returns the user's text. It returns an error
// only if the context has ended.
func (r *run) rewritePrompt(ctx context.Context) (string, error) {
	better, err := chatText(ctx, "image_rewrite", r.PromptRewriter,
		messages(r.Prompts.ImageRewrite.Text, r.turn.History, userText(r.turn))...)
	switch {
	case err == nil:
		return better, nil
	case ctx.Err() != nil:
		return "", err
	default:
		r.fallback(ctx, "image_rewrite", "text", reason(err))
		return r.turn.Text, nil
	}
}
