package main

import (
	"strings"

	"evalctl/agent/knowledge"
	"evalctl/agent/studio"
	"evalctl/agent/toolrouter"
	"evalctl/agent/toolrouter/intent"
)

// guess is what a simulated model makes of a text that nobody has labelled:
// what is typed into a chat. It goes by words, and is no match for a model.
type guess func(text string) (label string, slots map[string]string)

func guessFor(target string) (guess, error) {
	if target != "studio" {
		return guessRoute, nil
	}
	styles, err := knowledge.Shipped()
	return func(text string) (string, map[string]string) {
		return guessAction(text), map[string]string{"subject": strings.TrimSpace(text), "style": styleIn(text, styles)}
	}, err
}

func guessRoute(text string) (string, map[string]string) {
	route, _ := intent.Decide(text, intent.ImageGen|intent.TimeQuery|intent.WebSearch)
	switch route {
	case intent.ImageGen:
		return toolrouter.ImageGen, nil
	case intent.TimeQuery:
		return toolrouter.TimeQuery, nil
	case intent.WebSearch:
		return toolrouter.WebSearch, nil
	}
	return toolrouter.Chat, nil
}

// guessAction takes what is no small talk and no change for a new picture.
func guessAction(text string) string {
	text = strings.ToLower(text)
	for _, g := range []struct {
		action string
		words  []string
	}{
		{studio.Inpainting, []string{"这里", "这块", "涂掉", "抹掉", "去掉", "换成", "替换", "蒙版", "局部", "remove", "erase", "replace", "masked"}},
		{studio.AdjustParameters, []string{"一点", "点儿", "调整", "调亮", "调暗", "饱和度", "对比度", "分辨率", "brighter", "darker", "adjust", "contrast", "warmer", "cooler"}},
		{studio.Unknown, []string{"你好", "您好", "谢谢", "再见", "你是谁", "hello", "thanks", "thank you", "who are you"}},
	} {
		for _, w := range g.words {
			if strings.Contains(text, w) {
				return g.action
			}
		}
	}
	return studio.GenerateImage
}

// styleIn is the longest name of a style that a text holds.
func styleIn(text string, styles []knowledge.Style) (found string) {
	text = strings.ToLower(text)
	for _, s := range styles {
		for _, name := range append([]string{s.ZH, s.EN}, s.Aliases...) {
			if len(name) > len(found) && strings.Contains(text, strings.ToLower(name)) {
				found = name
			}
		}
	}
	return found
}
