package toolrouter

import (
	"context"

	"evalctl/agent"
)

// drawingBanner is shown during image generation.
const drawingBanner = "🎨 正在生成图片..."

// generateImage generates the picture. Its URL is in the reply's own field, never in the text.
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
	r.reply.ToolCalls = append(r.reply.ToolCalls, agent.ToolCall{Name: ImageGen, Input: prompt, Output: image.URL})
	r.emitChunk(ctx, inLanguageOf(r.turn.Text, "图片已经生成好了。", "Your picture is ready."))
	return nil
}

// rewritePrompt has the model write an image prompt from the request and its references. If the
// call fails, the text itself is the prompt. It returns an error only if the context has ended.
func (r *run) rewritePrompt(ctx context.Context) (string, error) {
	better, err := chatText(ctx, "image_rewrite", r.Improve, r.messages(r.Prompts.Improve.Text, r.userText())...)
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
