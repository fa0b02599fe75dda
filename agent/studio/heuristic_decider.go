package studio

import (
	"strings"

	"evalctl/agent/system"
)

// keywordPlanner returns keyword rules. The simulated planner applies them to texts that no case
// labels. They are less accurate than a model.
func keywordPlanner(system.Options) (func(string) system.Decision, error) {
	styles, err := shippedLexicon()
	return func(text string) system.Decision {
		d := system.Decision{
			Label: guessAction(text),
			Slots: map[string]string{"subject": strings.TrimSpace(text), "style": strings.Join(styles.find(text), "、")},
		}
		if d.Label == ActionAdjustParameters { // such as 再亮一点, which names no subject
			d.Slots["subject"] = ""
		}
		return d
	}, err
}

// guessAction returns the action that the keywords in a text suggest. The default is a new image.
func guessAction(text string) string {
	text = strings.ToLower(text)
	for _, g := range []keyword{
		{ActionInpainting, []string{"这里", "这块", "涂掉", "抹掉", "去掉", "换成", "替换", "蒙版", "局部", "remove", "erase",
			"replace", "masked"}},
		{ActionAdjustParameters,
			[]string{"一点", "点儿", "调整", "调亮", "调暗", "饱和度", "对比度", "分辨率", "brighter", "darker", "adjust",
				"contrast", "warmer", "cooler"}},
		{ActionUnknown, []string{"你好", "您好", "谢谢", "再见", "你是谁", "hello", "thanks", "thank you", "who are you"}},
	} {
		for _, w := range g.words {
			if strings.Contains(text, w) {
				return g.action
			}
		}
	}
	return actionGenerateImage
}
