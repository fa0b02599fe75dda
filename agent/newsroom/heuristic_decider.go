package newsroom

import (
	"slices"
	"strings"

	"evalctl/agent/system"
)

// newHeuristicDecider returns a decision function without a model. It uses the status in the
// supervisor's prompt and keywords in the request.
func newHeuristicDecider(system.Options) (func(string) system.Decision, error) {
	return func(text string) system.Decision { return system.Decision{Label: guessNext(text)} }, nil
}

func guessNext(text string) string {
	v, ok := readStatus(text)
	request := requestIn(text)
	once := func(agent string) bool { return !slices.Contains(v.ran, agent) }
	another := beginsPiece(request) && !v.isMissing("generatedContent") && (once(writerAgent) || !once(briefAgent))
	// images of the previous post do not fit a new post
	images := needsImages(request) || another && !v.isMissing("imagePlans")
	switch {
	case !ok || (another || v.isMissing("creativeBrief")) && once(briefAgent):
		return briefAgent
	case v.mayEnd:
		return end
	case (another || v.isMissing("evidencePack") && v.isMissing("generatedContent")) && once(researchAgent):
		return researchAgent
	case images && (another || v.isMissing("imagePlans")) && once(imagePlanAgent):
		return imagePlanAgent
	case once(writerAgent) && !v.isMissing("generatedContent") && (another || requestsChange(request)):
		return writerAgent
	case images && !v.isMissing("generatedContent") && v.isMissing("generatedImageAssetIds") && once(imageAgent):
		return imageAgent
	}
	return v.defaultNext()
}

// requestsChange reports whether a request is for a change of the existing text.
func requestsChange(request string) bool {
	return slices.ContainsFunc([]string{"改", "短", "长一", "换", "重写", "shorter", "longer", "change", "rewrite"},
		func(w string) bool { return strings.Contains(strings.ToLower(request), w) })
}

// answerFormat returns the additional fields of the supervisor's answer, for simulated models.
func answerFormat(system.SettingValues) system.AnswerFormat {
	return system.AnswerFormat{ExtraFields: func(text string, _ map[string]string) map[string]any {
		if isChinese(text) {
			return map[string]any{"guidance": "按照要求完成这一步，重点放在读者关心的内容上", "context_from_previous": "前面的材料已经在状态里",
				"focus_areas": []string{"准确", "可读"}}
		}
		return map[string]any{"guidance": "Do this step as requested, with the reader in mind",
			"context_from_previous": "earlier material is in the state", "focus_areas": []string{"accuracy", "clarity"}}
	}}
}
