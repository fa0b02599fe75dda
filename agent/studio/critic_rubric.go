package studio

import (
	"cmp"

	"evalctl/agent/trace"
)

// How often a critic may reject an image in a turn. After that, the last image is shown.
const (
	retriesV2 = 3
	retriesV1 = 2
)

// scoringStandard defines how a profile scores an image and what follows a rejection.
type scoringStandard struct {
	heuristic      func(seed uint64, s *state) verdict
	heuristicInput trace.CriticInput // which inputs of the heuristic critic the trace names
	grade          func(*state, verdict) quality
	retries        int    // how often the critic may reject an image in a turn
	rejectedTo     string // node that continues after a rejection
	exhaustedTo    string // node that continues after the last rejection
}

func standardV2() scoringStandard {
	return scoringStandard{
		heuristic:      heuristicV2,
		heuristicInput: trace.CriticInputPlan,
		grade:          gradeV2,
		retries:        retriesV2,
		rejectedTo:     ragNode,
		exhaustedTo:    genUINode,
	}
}

func standardV1() scoringStandard {
	return scoringStandard{
		heuristic:      heuristicV1,
		heuristicInput: trace.CriticInputPrompt,
		grade:          gradeV1,
		retries:        retriesV1,
		rejectedTo:     executorNode,
		exhaustedTo:    "end",
	}
}

// gradeV2 passes a score above 0.7. It adds default texts if feedback or suggestions are missing.
func gradeV2(s *state, v verdict) quality {
	q := v.quality(v.Score > 0.7)
	if q.Passed {
		q.Feedback = cmp.Or(q.Feedback, s.say("图片质量符合要求", "The image meets the requirements"))
		return q
	}
	q.Feedback = cmp.Or(q.Feedback, s.say("图片可能需要调整，建议重新生成或调整参数",
		"The image may need changes. Try to generate it again or adjust the parameters"))
	if len(q.Suggestions) == 0 {
		q.Suggestions = s.localized(adjustStyle, regenerate, editPrompt)
	}
	return q
}

// gradeV1 passes scores of at least 0.6. Scores below 0.8 come with suggestions.
func gradeV1(s *state, v verdict) quality {
	q := v.quality(v.Score >= 0.6)
	switch {
	case v.Score >= 0.8:
		q.Suggestions = nil
	case len(q.Suggestions) > 0:
	case q.Passed:
		q.Suggestions = s.localized(adjustParameters)
	default:
		q.Suggestions = s.localized(describeStyle, mayAdjustStyle)
	}
	return q
}
