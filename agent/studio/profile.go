package studio

import "evalctl/agent/llm"

// Profile is one of the two specified versions of the studio. It determines the flow of the agent,
// its prompts and its critic.
type Profile string

// The versions of the studio.
const (
	ProfileV2 Profile = "v2" // confidence threshold, error handler, up to 3 images rejected per turn; the default
	ProfileV1 Profile = "v1" // image parameters, retry button, up to 2 images rejected per turn
)

// Profiles returns both versions of the studio, the default first. A profile determines the flow of
// the agent, its prompts and its critic.
func Profiles() []Profile { return []Profile{ProfileV2, ProfileV1} }

// ImageRetries returns how often a profile retries a failed image generation.
func ImageRetries(p Profile) int {
	if p == ProfileV1 {
		return llm.NoRetries
	}
	return 3
}
