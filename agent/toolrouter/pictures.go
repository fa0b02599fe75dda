package toolrouter

import (
	"context"
	"slices"

	"evalctl/agent/llm"
	"evalctl/agent/toolrouter/intent"
)

// pictures are those that the turn is about: its own, or one of the conversation
// where the user speaks of it. about is true also when the user speaks of a
// picture that there never was.
func (r *run) pictures() (urls []string, about bool) {
	if len(r.turn.Images) > 0 {
		return r.turn.Images, true
	}
	return lastPicture(r.turn.Text, r.turn.History)
}

// see answers a turn about pictures: a vision model describes them, live facts
// join where the question needs them, and the chat model puts all together.
func (r *run) see(ctx context.Context, pictures []string) error {
	if len(pictures) == 0 {
		r.noPicture(ctx)
		return r.degrade(ctx, []leg{{Chat, r.missPicture}})
	}
	described, err := r.describe(ctx, pictures)
	if err != nil {
		return err
	}
	d, err := r.decide(ctx, r.gates.open()&intent.WebSearch)
	if err != nil {
		return err
	}
	question := described + "\n\n" + r.userText()
	legs := []leg{{Chat, func(ctx context.Context) error { return r.chat(ctx, r.system(), question) }}}
	if d.route == WebSearch {
		query := r.userText() + "\n" + described
		legs = slices.Insert(legs, 0, leg{WebSearch, func(ctx context.Context) error { return r.search(ctx, query, question) }})
	}
	return r.degrade(ctx, legs)
}

// noPicture decides a turn about a picture that there never was.
func (r *run) noPicture(ctx context.Context) {
	r.decided(ctx, decision{route: Chat, source: "rules", confidence: 1}, "no_picture", "")
}

// missPicture says that there is no picture to speak of.
func (r *run) missPicture(ctx context.Context) error {
	r.say(ctx, inLanguageOf(r.turn.Text, "这次对话里还没有生成过图片。", "No picture has been made in this conversation yet."))
	return nil
}

// describe has the vision model look; where it cannot, the answer must do
// without, and says so. The error is of a context that has ended.
func (r *run) describe(ctx context.Context, pictures []string) (string, error) {
	description, err := tell(ctx, "vision", r.Vision, llm.System(r.Prompts.Vision.Text), llm.User(r.userText(), pictures...))
	switch {
	case err == nil:
		return "图片内容：" + description, nil
	case ctx.Err() != nil:
		return "", err
	default:
		r.fallback(ctx, "vision", Chat, reason(err))
		return "（图片没能识别出来。）", nil
	}
}
