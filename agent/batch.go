package agent

import "strings"

// MaxBatch is the maximum number of messages in a turn.
const MaxBatch = 100

// JoinBatch is the text of a turn that consists of several messages.
func JoinBatch(messages []string) string { return strings.Join(messages, " ") }
