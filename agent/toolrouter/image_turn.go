package toolrouter

import (
	"context"
	"slices"

	"evalctl/agent/llm"
	"evalctl/agent/toolrouter/intent"
)

// images returns the images that the turn is about: its own, or else those of the conversation that
// its text refers to. about is also true if the text clearly refers to an image but there is none.
func (r *run) images() (found imageReference, about bool) {
	if len(r.turn.Images) > 0 {
		return imageReference{urls: r.turn.Images}, true
	}
	return lastImage(r.turn.Text, r.turn.History)
}

// answerAboutImages answers a question about images. A vision model describes them, and the chat
// model answers with this description. If the question needs current facts, a web search adds them.
func (r *run) answerAboutImages(ctx context.Context, images imageReference) error {
	if len(images.urls) == 0 {
		r.noImage(ctx, images)
		return r.runChain(ctx, []handler{{RouteChat,
			func(ctx context.Context) error { return r.answerNoImage(ctx, images) }}})
	}
	described, err := r.describe(ctx, images.urls)
	if err != nil {
		return err
	}
	d, err := r.decide(ctx, r.disabled.openRoutes()&intent.RouteWebSearch)
	if err != nil {
		return err
	}
	question := described + "\n\n" + userText(r.received)
	handlers := []handler{{RouteChat, func(ctx context.Context) error { return r.chat(ctx, r.system(), question) }}}
	if d.route == RouteWebSearch {
		query := userText(r.turn) + "\n" + described
		handlers = slices.Insert(handlers, 0,
			handler{RouteWebSearch, func(ctx context.Context) error { return r.search(ctx, query, question) }})
	}
	return r.runChain(ctx, handlers)
}

// noImage records the decision for a question about an image that does not exist or has expired. No
// model is called, because there is nothing to describe.
func (r *run) noImage(ctx context.Context, missing imageReference) {
	why := "no_image"
	if missing.expired {
		why = "image_expired"
	}
	r.record(ctx, decision{route: RouteChat, source: "guard", confidence: 1}, why, "")
}

// answerNoImage answers that the image does not exist or has expired.
func (r *run) answerNoImage(ctx context.Context, missed imageReference) error {
	chinese, english := "这次对话里还没有生成过图片。", "No picture has been made in this conversation yet."
	if missed.expired {
		chinese, english = "那张图片已经不在这次对话的记忆里了，请再发一次。", "That picture is no longer remembered, please send it again."
	}
	r.emitChunk(ctx, inLanguageOf(r.turn.Text, chinese, english))
	return nil
}

// Texts that replace the description of an image that could not be read.
const (
	unreadZH = "（图片没能识别出来。）"
	unreadEN = "(The picture could not be read.)"
)

// describe returns the vision model's description of the images. If the call fails, it returns the
// text unreadZH or unreadEN. It returns an error only if the context has ended.
func (r *run) describe(ctx context.Context, images []string) (string, error) {
	if r.NoVision {
		return inLanguageOf(r.turn.Text, unreadZH, unreadEN), nil
	}
	description, err := chatText(ctx, "vision", r.Vision, llm.SystemMessage(r.Prompts.Vision.Text),
		llm.UserMessage(userText(r.turn), images...))
	switch {
	case err == nil:
		return inLanguageOf(r.turn.Text, "图片内容：", "What the picture shows: ") + description, nil
	case ctx.Err() != nil:
		return "", err
	default:
		r.fallback(ctx, "vision", RouteChat, reason(err))
		return inLanguageOf(r.turn.Text, unreadZH, unreadEN), nil
	}
}
