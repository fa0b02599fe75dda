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

// ImageRetries is the number of retries for a failed image, for the Retries of an image generator's
// client.
func ImageRetries(p Profile) int {
	if p == V1 {
		return llm.NoRetries
	}
	return 3
}
