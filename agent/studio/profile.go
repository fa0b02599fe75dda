package studio

import "evalctl/agent/llm"

// Profile is a version of the studio's design.
type Profile string

// The profiles.
const (
	V2 Profile = "v2"
	V1 Profile = "v1"
)

// Profiles lists both.
func Profiles() []Profile { return []Profile{V2, V1} }

// ImageRetries is how often a picture that could not be painted is tried
// again, for the Retries of a Painter's client.
func ImageRetries(p Profile) int {
	if p == V1 {
		return llm.NoRetries
	}
	return 3
}
