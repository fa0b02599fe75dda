package newsroom

import (
	"slices"
	"strings"

	"evalctl/agent/system"
)

// guess goes by the status that is shown, and by a few words of the request.
func guess(system.Options) (func(string) system.Answer, error) {
	return func(text string) system.Answer { return system.Answer{Label: guessNext(text)} }, nil
}

func guessNext(text string) string {
	v, ok := readStatus(text)
	request := strings.ToLower(requestIn(text))
	pictures := says(request, "图", "picture", "photo", "image") && !says(request, "不要图", "不用图", "无图", "no pic", "no image", "no photo")
	once := func(agent string) bool { return !slices.Contains(v.ran, agent) }
	switch {
	case !ok || v.lacks("creativeBrief") && once(briefAgent):
		return briefAgent
	case v.mayEnd:
		return end
	case v.lacks("evidencePack") && once(researchAgent) && v.lacks("generatedContent"):
		return researchAgent
	case pictures && v.lacks("imagePlans") && once(imagePlanAgent):
		return imagePlanAgent
	case once(writerAgent) && !v.lacks("generatedContent") && says(request, "改", "短", "长一", "换", "重写", "shorter", "longer", "change", "rewrite"):
		return writerAgent
	case pictures && !v.lacks("generatedContent") && v.lacks("generatedImageAssetIds") && once(imageAgent):
		return imageAgent
	}
	return v.sensible()
}

func says(text string, words ...string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(text, w) })
}

// form is how the supervisor is asked to answer.
func form(system.Values) system.Form {
	return system.Form{Extra: func(text string, _ map[string]string) map[string]any {
		if isChinese(text) {
			return map[string]any{"guidance": "按照要求完成这一步，重点放在读者关心的内容上", "context_from_previous": "前面的材料已经在状态里", "focus_areas": []string{"准确", "可读"}}
		}
		return map[string]any{"guidance": "Do this step as requested, with the reader in mind", "context_from_previous": "earlier material is in the state", "focus_areas": []string{"accuracy", "clarity"}}
	}}
}
