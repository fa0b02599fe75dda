package scholar

import (
	"regexp"
	"slices"
	"strings"

	"evalctl/agent"
	"evalctl/agent/scholar/conversation"
	"evalctl/agent/system"
)

// Lengths of simulated replies about a conversation, in approximate tokens.
const (
	statementLength = 60  // longest user message that counts as a statement
	statedLength    = 120 // length of the user's statements in a summary
	recapLength     = 80
)

// statedPrefix matches the words before the user's statements in a simulated summary.
var statedPrefix = regexp.MustCompile(`^(?:用户说过：|The user said: )`)

// simulateCompression returns a summary of a conversation: short statements of the user, preferably
// about the user, then the most informative sentences.
func simulateCompression(s system.SimulatedRequest) system.SimulatedReply {
	own, rest := statements(messagesIn(s.Text))
	var lines []string
	left := reportLength
	if kept := topSentences(own, statedLength, selfReference); len(kept) > 0 {
		line := joinSentences(kept)
		lines = append(lines, map[bool]string{true: "用户说过：", false: "The user said: "}[isChinese(line)]+line)
		left -= approxTokens(line)
	}
	lines = append(lines, joinSentences(topSentences(rest, left, informativeness)))
	return system.SimulatedReply{Content: strings.TrimSpace(strings.Join(lines, "\n"))}
}

var firstPerson = regexp.MustCompile(`我|咱|(?i)\b(?:i|i'm|im|my|mine|me|we|us|our)\b`)

// selfReference returns a score that is high if a sentence contains information about the speaker.
func selfReference(sentence string) float64 {
	score := informativeness(sentence)
	if firstPerson.MatchString(sentence) {
		score++
	}
	return score
}

// messagesIn parses the transcript of a conversation.
func messagesIn(transcript string) (list []agent.Message) {
	roles := []struct{ label, role string }{{conversation.UserLabel, "user"},
		{conversation.AssistantLabel, "assistant"}, {conversation.SummaryLabel, "system"}}
	for line := range strings.Lines(transcript) {
		began := false
		for _, r := range roles {
			if text, ok := strings.CutPrefix(line, r.label); ok {
				list, began = append(list, agent.Message{Role: r.role, Content: text}), true
			}
		}
		switch {
		case began:
		case len(list) == 0:
			list = append(list, agent.Message{Role: "assistant", Content: line})
		default:
			list[len(list)-1].Content += line
		}
	}
	return list
}

// statements splits messages into sentences. own contains the sentences of short user messages,
// rest all others.
func statements(list []agent.Message) (own, rest []string) {
	for _, m := range list {
		for line := range strings.Lines(m.Content) {
			line = strings.TrimSpace(line)
			prefix := statedPrefix.FindString(line)
			all := sentences(strings.TrimPrefix(line, prefix))
			if m.Role == "user" && approxTokens(m.Content) <= statementLength || m.Role == "system" && prefix != "" {
				own = append(own, all...)
			} else {
				rest = append(rest, all...)
			}
		}
	}
	return own, rest
}

// isFollowUp matches a message that refers to an earlier message.
var isFollowUp = regexp.MustCompile(`刚才|刚刚|之前|前面|上面|开头|一开始|说过|讲过|提过|提到|记得|忘了|再说|我叫|我的|我是|我说|我要|你说` +
	`|(?i)\b(?:again|earlier|before|above|beginning|start|remind|remember|recall|my|you (?:said|told|quoted|mentioned|gave)|as you|i (?:said|told|gave|mention|mentioned|asked))\b`)

// simulateChat returns a simulated reply. It uses web results if there are any. For a follow-up
// question it repeats the most similar earlier sentence. Otherwise it is sample text.
func simulateChat(s system.SimulatedRequest) system.SimulatedReply {
	if _, web, ok := strings.Cut(s.System, "\n[1] "); ok {
		list := sentences(web[strings.IndexByte(web, '\n')+1:])
		return system.SimulatedReply{Content: joinSentences(topSentences(list, recapLength, informativeness)) + " [1]"}
	}
	if recapText := recap(s); recapText != "" {
		return system.SimulatedReply{Content: recapText}
	}
	return system.SimulatedReply{Content: s.SampleText}
}

// recap returns the earlier sentences that are most similar to a follow-up question. It returns ""
// if the message is not a follow-up or nothing matches.
func recap(s system.SimulatedRequest) string {
	if !isFollowUp.MatchString(s.Text) {
		return ""
	}
	question := features(s.Text)
	own, rest := statements(s.History)
	score := func(sentence string) float64 {
		near := wordOverlap(question, sentence)
		if slices.Contains(own, sentence) && firstPerson.MatchString(s.Text) && firstPerson.MatchString(sentence) {
			near += 0.3
		}
		return near
	}
	list := slices.DeleteFunc(slices.Concat(own, rest), func(sentence string) bool { return score(sentence) == 0 })
	return joinSentences(topSentences(list, recapLength, score))
}
