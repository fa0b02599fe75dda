package studio

import (
	"context"

	"evalctl/agent"
)

// What the tables of edges need.
type (
	State   = state
	Intent  = intent
	Quality = quality
)

var (
	AfterPlannerV2  = afterPlannerV2
	AfterRAGV2      = afterRAGV2
	AfterExecutorV2 = afterExecutorV2
	AfterCriticV2   = afterCriticV2
	AfterPlannerV1  = afterPlannerV1
	AfterCriticV1   = afterCriticV1
)

// Wrong is any error in a state.
var Wrong = &agent.ErrorReply{Code: unknownError}

// ReadKeywords is the action read from a raw answer, with its confidence.
func ReadKeywords(raw string) (string, float64) {
	in := recovered(readKeywords(raw), raw)
	return in.Action, in.Confidence
}

// CheckMask is the look at a mask.
func CheckMask(mask string) error { return new(masks).check(context.Background(), mask) }

// PointsAt tells whether a text points at a place of a picture, where there is one.
func PointsAt(text, canvas string) bool { return input{Text: text, Canvas: canvas}.pointsAt() }
