package studio

import "evalctl/agent/llm"

// Profile is one of the two specified versions of the studio. They differ in their flow, prompts
// and critic.
type Profile string

// The versions of the studio.
const (
	V2 Profile = "v2" // confidence threshold, error handler, up to 3 rejections; the default
	V1 Profile = "v1" // image parameters, retry button, up to 2 rejections
)

// Profiles returns both profiles, the default first.
func Profiles() []Profile { return []Profile{V2, V1} }

// ImageRetries returns how often a profile retries a failed image generation.
func ImageRetries(p Profile) int {
	if p == V1 {
		return llm.NoRetries
	}
	return 3
}
