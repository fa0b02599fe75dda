package newsroom

import (
	"evalctl/agent/system"
)

// guess goes by the status that is shown, as a supervisor does that knows nothing
// of the request.
func guess(system.Options) (func(string) system.Answer, error) {
	return func(text string) system.Answer {
		v, ok := readStatus(text)
		switch {
		case !ok:
			return system.Answer{Label: briefAgent}
		case v.mayEnd:
			return system.Answer{Label: end}
		case !v.lacks("creativeBrief") && v.lacks("evidencePack") && len(v.failed) == 0:
			return system.Answer{Label: researchAgent}
		}
		return system.Answer{Label: v.sensible()}
	}, nil
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
