package newsroom

import (
	"slices"
	"strings"

	"evalctl/agent/system"
)

// guess goes by the status that is shown, and by a few words of the request.
func guess(system.Options) (func(string) system.Decision, error) {
	return func(text string) system.Decision { return system.Decision{Label: guessNext(text)} }, nil
}

func guessNext(text string) string {
	v, ok := readStatus(text)
	request := requestIn(text)
	once := func(agent string) bool { return !slices.Contains(v.ran, agent) }
	another := beginsPiece(request) && !v.lacks("generatedContent") && (once(writerAgent) || !once(briefAgent))
	images := wantsImages(request) || another && !v.lacks("imagePlans") // those of the last piece do not fit
	switch {
	case !ok || (another || v.lacks("creativeBrief")) && once(briefAgent):
		return briefAgent
	case v.mayEnd:
		return end
	case (another || v.lacks("evidencePack") && v.lacks("generatedContent")) && once(researchAgent):
		return researchAgent
	case images && (another || v.lacks("imagePlans")) && once(imagePlanAgent):
		return imagePlanAgent
	case once(writerAgent) && !v.lacks("generatedContent") && (another || changes(request)):
		return writerAgent
	case images && !v.lacks("generatedContent") && v.lacks("generatedImageAssetIds") && once(imageAgent):
		return imageAgent
	}
	return v.sensible()
}

// changes tells a request to change the text that is there.
func changes(request string) bool {
	return slices.ContainsFunc([]string{"改", "短", "长一", "换", "重写", "shorter", "longer", "change", "rewrite"},
		func(w string) bool { return strings.Contains(strings.ToLower(request), w) })
}

// form is how the supervisor is asked to answer.
func form(system.Values) system.AnswerFormat {
	return system.AnswerFormat{ExtraFields: func(text string, _ map[string]string) map[string]any {
		if isChinese(text) {
			return map[string]any{"guidance": "按照要求完成这一步，重点放在读者关心的内容上", "context_from_previous": "前面的材料已经在状态里", "focus_areas": []string{"准确", "可读"}}
		}
		return map[string]any{"guidance": "Do this step as requested, with the reader in mind", "context_from_previous": "earlier material is in the state", "focus_areas": []string{"accuracy", "clarity"}}
	}}
}
