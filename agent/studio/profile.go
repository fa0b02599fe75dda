package studio

import "evalctl/agent/llm"

// Profile is one of the two specified versions of the studio. They differ in their flow, prompts
// and critic.
type Profile string

// The versions of the studio.
const (
	ProfileV2 Profile = "v2" // confidence threshold, error handler, up to 3 rejections; the default
	ProfileV1 Profile = "v1" // image parameters, retry button, up to 2 rejections
)

// Profiles returns both profiles, the default first.
func Profiles() []Profile { return []Profile{ProfileV2, ProfileV1} }

// ImageRetries returns how often a profile retries a failed image generation.
func ImageRetries(p Profile) int {
	if p == ProfileV1 {
		return llm.NoRetries
	}
	return 3
}
