package newsroom

import (
	"slices"
	"strings"
)

// role is what an agent is there for: which fields of the state it is shown, and
// which are its own.
type role struct {
	name     string
	headline string   // what the user is told once its work is done
	part     string   // of the declaration, that its model stands behind
	reads    []string // in the order in which they are shown
	writes   []string // the artefact, and what stands beside it
	key      string   // of the artefact, by which it is known where it stands alone
}

// roles are the eight agents, in the order of the decisions.
func roles() []role {
	return []role{
		{name: briefAgent, part: "brief", headline: "创意简报整理好了。", key: "topic",
			reads:  []string{"messages", "referenceImages", "layoutPreference", "agentClarificationKeys", "creativeBrief"},
			writes: []string{"creativeBrief"}},
		{name: researchAgent, part: "research", headline: "资料和要点准备好了。", key: "facts",
			reads:  []string{"messages", "creativeBrief", "evidencePack", "reviewFeedback"},
			writes: []string{"evidencePack", "bodyBlocks"}},
		{name: referenceAgent, part: "reference", headline: "参考图分析好了。",
			reads:  []string{"messages", "referenceImages", "creativeBrief", "reviewFeedback"},
			writes: []string{"referenceAnalyses"}},
		{name: layoutAgent, part: "layout", headline: "版式安排好了。", key: "sections",
			reads:  []string{"messages", "creativeBrief", "bodyBlocks", "referenceAnalyses", "layoutPreference", "reviewFeedback"},
			writes: []string{"layoutSpec"}},
		{name: imagePlanAgent, part: "image_plan", headline: "配图方案写好了。",
			reads:  []string{"messages", "creativeBrief", "layoutSpec", "referenceAnalyses", "generatedContent", "reviewFeedback"},
			writes: []string{"imagePlans"}},
		{name: writerAgent, part: "writer", headline: "正文写好了。", key: "body",
			reads:  []string{"messages", "creativeBrief", "evidencePack", "bodyBlocks", "layoutSpec", "generatedContent", "reviewFeedback"},
			writes: []string{"generatedContent"}},
		{name: imageAgent, part: imageAgent, headline: "图片画好了。",
			reads:  []string{"messages", "imagePlans", "imageGenProvider", "generatedImageAssetIds", "generatedContent"},
			writes: []string{"generatedImageAssetIds"}},
		{name: reviewAgent, part: "review", headline: "审核完成了。", key: "approved",
			reads: []string{"messages", "creativeBrief", "evidencePack", "layoutSpec", "referenceAnalyses", "imagePlans",
				"generatedImageAssetIds", "generatedContent"},
			writes: []string{"reviewFeedback", "qualityScores"}},
	}
}

// setting is the name of the setting that replaces an agent's prompt.
func (r role) setting() string { return strings.ReplaceAll(r.part, "_", "-") + "-prompt" }

// sees tells whether the role may read a field.
func (r role) sees(field string) bool { return slices.Contains(r.reads, field) }
