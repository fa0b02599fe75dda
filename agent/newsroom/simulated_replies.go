package newsroom

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"evalctl/agent"
	"evalctl/agent/system"
)

// The functions below return the replies of simulated agents, in the language of the request.

// expectedReplies contains what a case prescribes for the replies of simulated agents.
type expectedReplies struct {
	// SimulatedReviews contains the scores and the approval of each review in order.
	SimulatedReviews []json.RawMessage `json:"simulated_reviews"`
	// keys of the questions that the simulated brief agent puts to the user
	SimulatedQuestions []string `json:"simulated_questions"`
}

func parseExpectation(s system.SimulatedRequest) (w expectedReplies) {
	_ = json.Unmarshal(s.Expected, &w) // invalid values were rejected when the case was loaded
	return w
}

// jsonReply returns a simulated reply with v as JSON.
func jsonReply(v any) system.SimulatedReply {
	raw, err := json.Marshal(v)
	if err != nil {
		return system.SimulatedReply{} // an empty answer
	}
	return system.SimulatedReply{Content: string(raw)}
}

type object = map[string]any

// isChinese reports whether the user's request in a prompt is Chinese.
func isChinese(shown string) bool {
	return strings.ContainsFunc(requestIn(shown), func(r rune) bool { return unicode.Is(unicode.Han, r) })
}

// requestIn returns the user's request in a prompt, together with the user's answers to questions.
func requestIn(shown string) string { return strings.Join(requestLines(shown), " ") }

// requestLines returns the user's request and answers in a prompt as separate texts.
func requestLines(shown string) []string {
	if !strings.Contains(shown, requestLine) {
		line, _, _ := strings.Cut(strings.TrimSpace(shown), "\n")
		return []string{line}
	}
	lines := []string{lineAfter(shown, requestLine)}
	for _, rest := range strings.Split(shown, "\n"+answerLine)[1:] {
		line, _, _ := strings.Cut(rest, "\n")
		lines = append(lines, line)
	}
	return lines
}

// lineAfter returns the text between name and the end of its line; "" if name does not occur.
func lineAfter(shown, name string) string {
	_, rest, _ := strings.Cut(shown, name)
	line, _, _ := strings.Cut(rest, "\n")
	return strings.TrimSpace(line)
}

// localized returns zh or en, depending on the language of the request.
func localized(s system.SimulatedRequest, zh, en string) string {
	if isChinese(s.Text) {
		return zh
	}
	return en
}

// topic returns the topic of the post in a few words, from the brief or else from the request.
func topic(s system.SimulatedRequest) string {
	if b, ok := shownBrief(s); ok {
		return string(b.Topic)
	}
	return requestTopic(s)
}

// shownBrief returns the brief that an agent's prompt contains. ok is false if there is none.
func shownBrief(s system.SimulatedRequest) (b brief, ok bool) {
	err := json.Unmarshal(shownField(s.Text, "creativeBrief"), &b)
	return b, err == nil && b.usable()
}

// requestTopic returns the last message of the user that contains a topic, shortened to 24
// characters.
func requestTopic(s system.SimulatedRequest) string {
	topicText := ""
	for _, words := range requestLines(s.Text) {
		if topicText == "" || hasTopic(words) {
			topicText = strings.TrimSpace(clipRunes(words, 24))
		}
	}
	if topicText == "" {
		return localized(s, "这一篇", "this piece")
	}
	return localized(s, "关于“"+topicText+"”", "about “"+topicText+"”")
}

// shownField returns the JSON of a state field in an agent's prompt; nil if it is absent.
func shownField(shown, field string) json.RawMessage {
	_, rest, found := strings.Cut(shown, heading+field+"\n")
	if !found {
		return nil
	}
	line, _, _ := strings.Cut(rest, "\n")
	return json.RawMessage(line)
}

// sentence returns a sample sentence about the topic.
func sentence(s system.SimulatedRequest) string {
	return topic(s) + localized(s, "：先把最要紧的三件事做好，提前准备、量力而行、留有余地。",
		": do the three things that matter first, prepare early, take it easy, leave some slack.")
}

// simulateBrief returns the questions that the case prescribes, or a brief. If the case prescribes
// nothing, it returns a question about a missing topic.
func simulateBrief(s system.SimulatedRequest) system.SimulatedReply {
	request := requestIn(s.Text)
	before, found := shownBrief(s)
	keys := parseExpectation(s).SimulatedQuestions
	if len(s.Expected) == 0 && !found && !hasTopic(request) {
		keys = []string{"topic"}
	}
	if len(keys) > 0 && !strings.Contains(s.Text, noAskLine) {
		var questions []object
		for _, key := range keys {
			question := localized(s, "请问"+key+"有什么要求？", "What should the "+key+" be?")
			if key == "topic" {
				question = localized(s, "想写什么题目？", "What should it be about?")
			}
			questions = append(questions, object{"key": key, "question": question})
		}
		return jsonReply(object{"questions": questions})
	}
	if !found || beginsPiece(request) {
		before = brief{Topic: text(requestTopic(s))}
	}
	must := append(texts{}, before.MustInclude...)
	if n := countImages(request); n > 0 {
		must = texts{fmt.Sprintf(localized(s, "%d 张图", "%d pictures"), n)}
	}
	return jsonReply(object{"creativeBrief": object{"topic": before.Topic,
		"audience": localized(s, "对此感兴趣的普通读者", "curious readers"),
		"platform": localized(s, "小红书", "newsletter"), "tone": localized(s, "真诚、具体", "plain and warm"),
		"goals": []string{localized(s, "读完就能用上", "useful at once")}, "must_include": must}})
}

// simulateResearch calls the search tool once or twice before it returns its artifact.
func simulateResearch(s system.SimulatedRequest) system.SimulatedReply {
	if searches := 1 + int(s.Seed%2); s.ToolResults < searches && len(s.Tools) > 0 {
		query := topic(s) + localized(s, " 数据", " figures")
		if s.ToolResults > 0 {
			query = topic(s) + localized(s, " 案例", " examples")
		}
		return system.SimulatedReply{Calls: []agent.ToolCall{{Name: searchTool, Input: callInput("query", query)}}}
	}
	return jsonReply(object{
		"evidencePack": object{"summary": sentence(s),
			"facts": []object{{"claim": sentence(s), "source": localized(s, "公开资料", "public sources")}}},
		"bodyBlocks": []object{{"heading": localized(s, "要点", "Key points"), "points": []string{topic(s)}}},
	})
}

func simulateReference(s system.SimulatedRequest) system.SimulatedReply {
	var images texts
	_ = json.Unmarshal(shownField(s.Text, "referenceImages"), &images) // invalid images count as none
	if len(images) == 0 {
		images = texts{""}
	}
	var analyses []object
	for _, at := range images {
		analyses = append(analyses, object{"image": at, "style": localized(s, "干净的生活感", "clean and everyday"),
			"palette": localized(s, "米白、浅绿", "off-white and sage"),
			"notes":   localized(s, "留白多，光线柔和", "plenty of white space, soft light")})
	}
	return jsonReply(object{"referenceAnalyses": analyses})
}

func simulateLayout(s system.SimulatedRequest) system.SimulatedReply {
	return jsonReply(object{"layoutSpec": object{"format": localized(s, "图文", "article"), "sections": []object{
		{"title": localized(s, "开头", "Opening"), "purpose": localized(s, "说清楚为什么值得看", "why it matters"), "image": true},
		{"title": localized(s, "正文", "Body"), "purpose": topic(s), "image": false},
		{"title": localized(s, "收尾", "Closing"), "purpose": localized(s, "给出下一步", "what to do next"), "image": true},
	}}})
}

// simulateImagePlan returns as many image plans as the request or the brief names.
func simulateImagePlan(s system.SimulatedRequest) system.SimulatedReply {
	b, _ := shownBrief(s)
	n := cmp.Or(countImages(requestIn(s.Text)), countImages(strings.Join(b.MustInclude, " ")), defaultImages)
	var plans []object
	for i := range n {
		title := fmt.Sprintf(localized(s, "第 %d 段", "Part %d"), i+1)
		switch i {
		case 0:
			title = localized(s, "开头", "Opening")
		case n - 1:
			title = localized(s, "收尾", "Closing")
		}
		plans = append(plans, object{"id": fmt.Sprintf("p%d", i+1), "section": title,
			"prompt": topic(s) + localized(s, "，自然光，", ", daylight, ") + title, "size": "3:4"})
	}
	return jsonReply(object{"imagePlans": plans})
}

func simulateWriter(s system.SimulatedRequest) system.SimulatedReply {
	return jsonReply(object{"generatedContent": object{"title": topic(s), "body": sentence(s),
		"tags": []string{localized(s, "笔记", "notes")}}})
}

// simulateImageAgent calls the image tool once for each plan.
func simulateImageAgent(s system.SimulatedRequest) system.SimulatedReply {
	var plans list[imagePlan]
	if s.ToolResults == 0 && len(s.Tools) > 0 && json.Unmarshal(shownField(s.Text, "imagePlans"), &plans) == nil {
		var calls []agent.ToolCall
		for _, p := range plans {
			calls = append(calls, agent.ToolCall{Name: paintTool, Input: callInput("plan_id", string(p.ID))})
		}
		return system.SimulatedReply{Calls: calls}
	}
	return jsonReply(object{"generatedImageAssetIds": []string{}})
}

func callInput(name, value string) string {
	raw, err := json.Marshal(map[string]string{name: value})
	if err != nil || !utf8.Valid(raw) {
		return "{}"
	}
	return string(raw)
}

// defaultScore is the score in a quality dimension for which the case prescribes none.
const defaultScore = 0.9

// simulateReview returns the scores that the case prescribes for this review of the turn.
func simulateReview(s system.SimulatedRequest) system.SimulatedReply {
	given := map[string]json.RawMessage{}
	if reviews := parseExpectation(s).SimulatedReviews; len(reviews) > 0 {
		// invalid values leave the default scores
		_ = json.Unmarshal(reviews[min(max(s.CallNumber, 1), len(reviews))-1], &given)
	}
	q := scores{}
	for _, d := range dimensions {
		q[d.name] = defaultScore
		if n, ok := parseUnitInterval(given[d.name]); ok {
			q[d.name] = n
		}
	}
	pass := defaultQuality
	if n, ok := parseUnitInterval([]byte(lineAfter(s.Text, passLine))); ok {
		pass = n
	}
	approved := q.isQualityApproved(pass)
	if is, ok := parseBool(given["approved"]); ok {
		approved = is
	}
	comment := localized(s, "可以发布", "good to go")
	if low, ok := q.lowest(pass); ok {
		comment = localized(s, "需要改进："+low.name, "to be improved: "+low.name)
	}
	return jsonReply(object{"reviewFeedback": object{"approved": approved, "comments": []string{comment}},
		"qualityScores": q})
}
