package agent

import "strings"

// MaxBatch limits the messages that are combined into one turn.
const MaxBatch = 100

// JoinBatch returns the text of a turn that combines several messages.
func JoinBatch(messages []string) string { return strings.Join(messages, " ") }
