package agent

import "strings"

// MaxBatch is how many messages a turn is at most.
const MaxBatch = 100

// JoinBatch is the text of a turn that is several messages.
func JoinBatch(messages []string) string { return strings.Join(messages, " ") }
