package studio

import (
	"cmp"

	"evalctl/agent/trace"
)

// How often the critic may send the work back.
const (
	retriesV2 = 3
	retriesV1 = 2
)

// standard is how a profile judges pictures, and what it does with those that
// do not pass.
type standard struct {
	heuristic func(seed uint64, s *state) verdict
	shown     trace.CriticInput // to the heuristic
	grade     func(verdict) quality
	retries   int    // how often the critic may send the work back
	back      string // where it sends it
	on        string // where it hands it on
}

func standardV2() standard {
	return standard{heuristic: heuristicV2, shown: trace.ShownPlan, grade: gradeV2, retries: retriesV2, back: ragNode, on: genUINode}
}

func standardV1() standard {
	return standard{heuristic: heuristicV1, shown: trace.ShownPrompt, grade: gradeV1, retries: retriesV1, back: executorNode, on: "end"}
}

// gradeV2 passes what scores above 0.7.
func gradeV2(v verdict) quality {
	q := v.quality(v.Score > 0.7)
	if q.Passed {
		q.Feedback = cmp.Or(q.Feedback, "图片质量符合要求")
		return q
	}
	q.Feedback = cmp.Or(q.Feedback, "图片可能需要调整，建议重新生成或调整参数")
	if len(q.Suggestions) == 0 {
		q.Suggestions = []string{"尝试调整风格强度", regenerate, "修改 Prompt"}
	}
	return q
}

// gradeV1 passes what scores 0.6, and has suggestions below 0.8.
func gradeV1(v verdict) quality {
	q := v.quality(v.Score >= 0.6)
	switch {
	case v.Score >= 0.8:
		q.Suggestions = nil
	case len(q.Suggestions) > 0:
	case q.Passed:
		q.Suggestions = []string{"可以尝试调整参数以获得更好效果"}
	default:
		q.Suggestions = []string{"建议增加更具体的风格描述", "可以尝试调整风格强度"}
	}
	return q
}
