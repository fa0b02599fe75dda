package model

import (
	"strings"

	"evalctl/mocks/component"
	"evalctl/mocks/jsontext"
)

// plausibleAnswer returns a short plausible answer in the user's language, as JSON if the request
// requires it. It has no meaning for the scoring.
func plausibleAnswer(r Request, seed uint64) string {
	if !r.RequiresJSON {
		return SampleText(r, seed)
	}
	topic, chinese := topicOf(r)
	return `{"reply":` + string(jsontext.AppendString(nil, pick(chatLines(chinese), seed, topic))) + `}`
}

// SampleText returns a short plausible answer to a request, in the user's language and suitable for
// the component's role. The seed selects between several texts.
func SampleText(r Request, seed uint64) string {
	topic, chinese := topicOf(r)
	lines := chatLines(chinese)
	switch {
	case r.Role == component.Search:
		lines = searchLines(chinese)
	case r.Role == component.Vision:
		lines = visionLines(chinese)
	case improvesPrompt(r):
		lines = promptLines(chinese)
	}
	return pick(lines, seed, topic)
}

// topicOf returns what the user's request is about, and whether that is in Chinese.
func topicOf(r Request) (topic string, chinese bool) {
	topic = searchQuestion(r)
	return topic, IsChinese(topic) || topic == "" && IsChinese(lastText(r))
}

// searchQuestion returns the user's message. In a search request, the message is the last line,
// after the instructions and a label such as "问题：".
func searchQuestion(r Request) string {
	if r.Role != component.Search {
		return r.Text
	}
	text := strings.TrimSpace(r.Text)
	text = text[strings.LastIndexByte(text, '\n')+1:]
	if _, after, ok := strings.Cut(text, "："); ok && after != "" {
		return after
	}
	return text
}

func pick(lines []string, seed uint64, text string) string {
	line := lines[seed%uint64(len(lines))]
	return strings.ReplaceAll(line, "{}", Excerpt(text))
}

// Excerpt returns the first 60 characters of a text, on one line.
func Excerpt(s string) string {
	n := 0
	for i := range s {
		if n == 60 {
			s = s[:i]
			break
		}
		n++
	}
	return strings.Join(strings.Fields(s), " ")
}

func lastText(r Request) string {
	if len(r.Messages) == 0 {
		return ""
	}
	return r.Messages[len(r.Messages)-1].Text
}

// improvesPrompt reports whether a request is for improving an image prompt. It searches the system
// message for keywords.
func improvesPrompt(r Request) bool {
	for _, m := range r.Messages {
		if m.Role != "system" {
			continue
		}
		s := strings.ToLower(m.Text)
		if containsAny(s, "提示词", "prompt") &&
			containsAny(s, "优化", "润色", "改写", "扩写", "improve", "enhance", "refine", "rewrite") {
			return true
		}
	}
	return false
}

func containsAny(s string, words ...string) bool {
	for _, w := range words {
		if strings.Contains(s, w) {
			return true
		}
	}
	return false
}

func chatLines(chinese bool) []string {
	if chinese {
		return []string{
			"关于「{}」，简单来说：先看要点，再看细节，有需要我可以继续展开。",
			"明白你的意思。就「{}」来说，我的建议是从最重要的一步开始。",
			"好的。「{}」这件事可以分两步来看，需要的话我再举个例子。",
		}
	}
	return []string{
		"About \"{}\": in short, start with the main point; I can go into detail if you like.",
		"I see. For \"{}\" I would begin with the most important step.",
		"Sure. \"{}\" has two sides to it; shall I give an example?",
	}
}

func searchLines(chinese bool) []string {
	if chinese {
		return []string{
			"1. 关于「{}」，今天有三家媒体作了报道，说法基本一致。\n2. 相关部门表示情况正常，最新数据与上周持平。\n3. 预计本周内会有进一步消息。",
			"1. 「{}」的最新进展已于今日上午公布。\n2. 与昨日相比变化不大，幅度在百分之一以内。\n3. 专家建议关注后续通报。",
		}
	}
	return []string{
		"1. Three outlets reported on \"{}\" today and largely agree.\n2. Officials call the situation normal; the latest figures match last week's.\n3. More news is expected this week.",
		"1. The latest on \"{}\" was published this morning.\n2. Little has changed since yesterday, by less than one percent.\n3. Experts advise to wait for the next bulletin.",
	}
}

func visionLines(chinese bool) []string {
	if chinese {
		return []string{
			"图片中央是一只橘色的猫，坐在木质窗台上，窗外是傍晚的街道，光线柔和。",
			"这是一张室内照片：桌上放着一台笔记本电脑和一杯咖啡，背景是书架。",
		}
	}
	return []string{
		"An orange cat sits on a wooden window sill in the middle of the picture; outside is a street at dusk, in soft light.",
		"An indoor photograph: a laptop and a cup of coffee on a desk, with a bookshelf behind.",
	}
}

func promptLines(chinese bool) []string {
	if chinese {
		return []string{
			"{}，主体清晰，构图均衡，自然柔光，细节丰富，高清画质",
			"{}，电影感光影，层次分明的背景，色彩和谐，超高细节",
		}
	}
	return []string{
		"{}, clear subject, balanced composition, soft natural light, rich detail, high resolution",
		"{}, cinematic lighting, layered background, harmonious colours, highly detailed",
	}
}
