package toolrouter

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"evalctl/agent/llm"
)

// pictures are those that the turn is about: its own, or the one that the
// agent made last where the user speaks of it. about is true also when the
// user speaks of a picture that there never was.
func (r *run) pictures() (urls []string, about bool) {
	if len(r.turn.Images) > 0 {
		return r.turn.Images, true
	}
	if !speaksOfLastPicture(r.turn.Text) {
		return nil, false
	}
	for _, m := range slices.Backward(r.turn.History) {
		if m.GeneratedImageURL != "" {
			return []string{m.GeneratedImageURL}, true
		}
	}
	return nil, true
}

// see answers a turn about pictures: a vision model describes them, live facts
// join where the question needs them, and the chat model puts all together.
// Its route is web_search or chat.
func (r *run) see(ctx context.Context, pictures []string) error {
	if len(pictures) == 0 {
		r.decided(ctx, decision{route: Chat, source: "rules", confidence: 1}, "no_picture")
		r.reply.Served = Chat
		return r.say(ctx, inLanguageOf(r.turn.Text, "这次对话里还没有生成过图片。", "No picture has been made in this conversation yet."))
	}
	described, err := r.describe(ctx, pictures)
	if err != nil {
		return err
	}
	d, err := r.decide(ctx, r.turn.Text)
	if err != nil {
		return err
	}
	question := described + "\n\n" + r.userText()
	legs := []leg{{Chat, func(ctx context.Context) error { return r.chat(ctx, r.system(), question) }}}
	if d.route == WebSearch {
		query := r.turn.Text + "\n" + described
		legs = slices.Insert(legs, 0, leg{WebSearch, func(ctx context.Context) error { return r.search(ctx, query, question) }})
	} else {
		r.reply.Predicted = Chat
	}
	return r.degrade(ctx, legs)
}

// describe has the vision model look; where it cannot, the answer must do
// without, and says so. The error is of a context that has ended.
func (r *run) describe(ctx context.Context, pictures []string) (string, error) {
	a, err := r.Vision.Chat(ctx, llm.Request{Messages: []llm.Message{
		llm.System(r.Prompts.Vision.Text), llm.User(r.userText(), pictures...),
	}})
	if ctx.Err() != nil {
		return "", err
	}
	if err == nil && a.Empty() {
		err = llm.KindEmpty
	}
	if err != nil {
		r.fallback(ctx, "vision", Chat, reason(err))
		return "（图片没能识别出来。）", nil
	}
	return "图片内容：" + a.Content, nil
}

// userText is what the user sent, text files included.
func (r *run) userText() string {
	var b strings.Builder
	b.WriteString(r.turn.Text)
	for _, d := range r.turn.Documents {
		fmt.Fprintf(&b, "\n\n【附件 %s】\n%s", d.Name, d.Content)
	}
	return b.String()
}

// speaksOfLastPicture tells whether text asks about the picture that was just
// made: a word of asking, one that points back, and one for the picture.
func speaksOfLastPicture(text string) bool {
	t := strings.ToLower(text)
	if isChinese(t) {
		return has(t, "描述", "介绍", "说说", "讲讲", "解释", "看看", "看一下", "分析", "形容", "点评", "评价", "里面", "里有", "里的", "上有", "有什么", "是什么", "哪些", "几个", "几只", "什么颜色", "说一下", "讲一下", "说明") &&
			has(t, "刚才", "刚刚", "刚", "上一张", "上一幅", "上张", "那张", "那幅", "你画的", "你生成的", "你做的") &&
			has(t, "图", "画", "照片", "海报", "头像", "壁纸", "插画") &&
			!has(t, "换成", "改成", "重新", "再来", "再画", "再生成", "修改", "去掉", "加上", "调整")
	}
	return has(t, "describe", "what's in", "what is in", "what do you see", "tell me about", "explain", "what colour", "what color", "how many", "look at", "caption", "alt text") &&
		has(t, "you just", "just made", "just drew", "just generated", "just painted", "just created", "you made", "you drew", "you generated", "last picture", "last image", "last one", "previous image", "previous picture") &&
		has(t, "picture", "image", "drawing", "photo", "illustration", "painting", "poster", "logo", "one")
}

func has(text string, words ...string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(text, w) })
}
