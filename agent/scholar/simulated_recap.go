package scholar

import (
	"regexp"
	"slices"
	"strings"

	"evalctl/agent"
	"evalctl/agent/scholar/conversation"
	"evalctl/agent/system"
)

// How long a simulated model is in what it says of a conversation, in about so many tokens.
const (
	statementLength = 60  // the longest of the user that counts as one
	statedLength    = 120 // of the user's statements in a summary
	retoldLength    = 80
)

// stated stands before what the user said, in a summary.
var stated = regexp.MustCompile(`^(?:用户说过：|The user said: )`)

// saysCompression keeps what the user has stated in few words, of themselves above all,
// and then what the messages tell.
func saysCompression(s system.SimulatedRequest) system.SimulatedReply {
	own, rest := statements(messagesIn(s.Text))
	var lines []string
	left := reportLength
	if kept := best(own, statedLength, ofThemselves); len(kept) > 0 {
		line := joined(kept)
		lines = append(lines, map[bool]string{true: "用户说过：", false: "The user said: "}[isChinese(line)]+line)
		left -= weight(line)
	}
	lines = append(lines, joined(best(rest, left, informativeness)))
	return system.SimulatedReply{Content: strings.TrimSpace(strings.Join(lines, "\n"))}
}

var firstPerson = regexp.MustCompile(`我|咱|(?i)\b(?:i|i'm|im|my|mine|me|we|us|our)\b`)

// ofThemselves is how much a user's sentence tells of the user.
func ofThemselves(sentence string) float64 {
	score := informativeness(sentence)
	if firstPerson.MatchString(sentence) {
		score++
	}
	return score
}

// messagesIn are those of a transcript.
func messagesIn(transcript string) (list []agent.Message) {
	roles := []struct{ label, role string }{{conversation.UserLabel, "user"}, {conversation.AssistantLabel, "assistant"}, {conversation.SummaryLabel, "system"}}
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

// statements are the sentences in which the user has stated something in few words, and
// rest are all others.
func statements(list []agent.Message) (own, rest []string) {
	for _, m := range list {
		for line := range strings.Lines(m.Content) {
			line = strings.TrimSpace(line)
			said := stated.FindString(line)
			all := sentences(strings.TrimPrefix(line, said))
			if m.Role == "user" && weight(m.Content) <= statementLength || m.Role == "system" && said != "" {
				own = append(own, all...)
			} else {
				rest = append(rest, all...)
			}
		}
	}
	return own, rest
}

// isFollowUp tells a question about what was said before.
var isFollowUp = regexp.MustCompile(`刚才|刚刚|之前|前面|上面|开头|一开始|说过|讲过|提过|提到|记得|忘了|再说|我叫|我的|我是|我说|我要|你说` +
	`|(?i)\b(?:again|earlier|before|above|beginning|start|remind|remember|recall|my|you (?:said|told|quoted|mentioned|gave)|as you|i (?:said|told|gave|mention|mentioned|asked))\b`)

// saysChat answers with what was found on the web; with what was said before that is
// nearest to a question about it; or with believable words.
func saysChat(s system.SimulatedRequest) system.SimulatedReply {
	if _, web, ok := strings.Cut(s.System, "\n[1] "); ok {
		list := sentences(web[strings.IndexByte(web, '\n')+1:])
		return system.SimulatedReply{Content: joined(best(list, retoldLength, informativeness)) + " [1]"}
	}
	if told := recap(s); told != "" {
		return system.SimulatedReply{Content: told}
	}
	return system.SimulatedReply{Content: s.SampleText}
}

// recap are the sentences said before that are nearest to what is asked back; "": that
// is not, or there is nothing like it.
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
	return joined(best(list, retoldLength, score))
}
