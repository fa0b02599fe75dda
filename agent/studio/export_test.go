package studio

import (
	"context"

	"evalctl/agent"
)

// Unexported names that the external tests use.
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

// AnyError is an error for tests in which its content does not matter.
var AnyError = &agent.ErrorReply{Code: unknownError}

// ReadKeywords returns the action that an invalid answer names, and the confidence of the resulting
// plan.
func ReadKeywords(raw string) (string, float64) {
	in := recoveredPlan(readKeywords(raw), raw)
	return in.Action, in.Confidence
}

// CheckMask returns an error unless a mask is valid.
func CheckMask(mask string) error { return new(masks).check(context.Background(), mask) }

// RefersToArea reports whether a text requests a change of an area of an image.
func RefersToArea(text, canvas string) bool { return input{Text: text, Canvas: canvas}.refersToArea() }
