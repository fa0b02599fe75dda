package studio

import (
	"context"

	"evalctl/agent"
)

// Internals for the table tests.
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

// ReadKeywords is the action derived from a raw answer, with its confidence.
func ReadKeywords(raw string) (string, float64) {
	in := recoveredPlan(readKeywords(raw), raw)
	return in.Action, in.Confidence
}

// CheckMask checks a mask.
func CheckMask(mask string) error { return new(masks).check(context.Background(), mask) }

// PointsAt reports whether a text refers to a place of an image.
func PointsAt(text, canvas string) bool { return input{Text: text, Canvas: canvas}.refersToPlace() }
