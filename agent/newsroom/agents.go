package newsroom

import (
	"slices"
	"strings"
)

// role describes one of the eight agents: which state fields it reads and which it writes.
type role struct {
	name      string
	headline  [2]string // progress message when the agent has finished, in Chinese and English
	component string    // name of the agent's component in faults and settings
	reads     []string  // state fields in the agent's prompt, in this order
	writes    []string  // state fields that the agent writes: its artifact first, then additional fields
	key       string    // member by which an artifact is recognized in an answer that lacks the enclosing field
}

// roles returns the eight agents, in the order of their labels.
func roles() []role {
	return []role{
		{name: briefAgent, component: "brief", key: "topic",
			headline: [2]string{"创意简报整理好了。", "The creative brief is ready."},
			reads: []string{"messages", "referenceImages", "layoutPreference", "agentClarificationKeys",
				"creativeBrief"},
			writes: []string{"creativeBrief"}},
		{name: researchAgent, component: "research", key: "facts",
			headline: [2]string{"资料和要点准备好了。", "The facts and key points are ready."},
			reads:    []string{"messages", "creativeBrief", "evidencePack", "reviewFeedback"},
			writes:   []string{"evidencePack", "bodyBlocks"}},
		{name: referenceAgent, component: "reference",
			headline: [2]string{"参考图分析好了。", "The reference images are analyzed."},
			reads:    []string{"messages", "referenceImages", "creativeBrief", "reviewFeedback"},
			writes:   []string{"referenceAnalyses"}},
		{name: layoutAgent, component: "layout", key: "sections",
			headline: [2]string{"版式安排好了。", "The layout is planned."},
			reads: []string{"messages", "creativeBrief", "bodyBlocks", "referenceAnalyses", "layoutPreference",
				"reviewFeedback"},
			writes: []string{"layoutSpec"}},
		{name: imagePlanAgent, component: "image_plan",
			headline: [2]string{"配图方案写好了。", "The images are planned."},
			reads: []string{"messages", "creativeBrief", "layoutSpec", "referenceAnalyses", "generatedContent",
				"reviewFeedback"},
			writes: []string{"imagePlans"}},
		{name: writerAgent, component: "writer", key: "body",
			headline: [2]string{"正文写好了。", "The text is written."},
			reads: []string{"messages", "creativeBrief", "evidencePack", "bodyBlocks", "layoutSpec",
				"generatedContent", "reviewFeedback"},
			writes: []string{"generatedContent"}},
		{name: imageAgent, component: imageAgent,
			headline: [2]string{"图片画好了。", "The images are generated."},
			reads: []string{"messages", "imagePlans", "imageGenProvider", "generatedImageAssetIds",
				"generatedContent"},
			writes: []string{"generatedImageAssetIds"}},
		{name: reviewAgent, component: "review", key: "approved",
			headline: [2]string{"审核完成了。", "The review is complete."},
			reads: []string{"messages", "creativeBrief", "evidencePack", "layoutSpec", "referenceAnalyses",
				"imagePlans",
				"generatedImageAssetIds", "generatedContent"},
			writes: []string{"reviewFeedback", "qualityScores"}},
	}
}

// setting returns the name of the setting that replaces the agent's prompt.
func (r role) setting() string { return strings.ReplaceAll(r.component, "_", "-") + "-prompt" }

// canRead reports whether the agent may read a state field.
func (r role) canRead(field string) bool { return slices.Contains(r.reads, field) }
