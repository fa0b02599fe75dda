package newsroom

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"evalctl/agent"
	"evalctl/agent/system"
)

// What simulated agents say: plausible artefacts, short, in the user's language.

// wanted is what a turn's expectation tells them.
type wanted struct {
	SimulatedReviews   []json.RawMessage `json:"simulated_reviews"`   // at the n-th review: scores, and whether it approves
	SimulatedQuestions []string          `json:"simulated_questions"` // keys of what the user is asked
}

func expectation(s system.SimulatedRequest) (w wanted) {
	_ = json.Unmarshal(s.Expected, &w) // what is none expects nothing
	return w
}

// spoken writes an answer.
func spoken(v any) system.SimulatedReply {
	raw, err := json.Marshal(v)
	if err != nil {
		return system.SimulatedReply{} // an empty answer
	}
	return system.SimulatedReply{Content: string(raw)}
}

type object = map[string]any

// isChinese tells the language of a request that is shown.
func isChinese(shown string) bool { return strings.ContainsFunc(requestIn(shown), han) }

// requestIn is the user's request as an agent is shown it, with the answers to what
// the user was asked.
func requestIn(shown string) string { return strings.Join(wordsIn(shown), " ") }

// wordsIn are the request and the answers.
func wordsIn(shown string) []string {
	if !strings.Contains(shown, requestLine) {
		line, _, _ := strings.Cut(strings.TrimSpace(shown), "\n")
		return []string{line}
	}
	said := []string{lineIn(shown, requestLine)}
	for _, rest := range strings.Split(shown, "\n"+answerLine)[1:] {
		line, _, _ := strings.Cut(rest, "\n")
		said = append(said, line)
	}
	return said
}

// lineIn is what stands on a line behind its name, "" where it is not.
func lineIn(shown, name string) string {
	_, rest, _ := strings.Cut(shown, name)
	line, _, _ := strings.Cut(rest, "\n")
	return strings.TrimSpace(line)
}

// either is the words in the language of the request.
func either(s system.SimulatedRequest, zh, en string) string {
	if isChinese(s.Text) {
		return zh
	}
	return en
}

// topic is what the piece is about, in a few words: as the brief says, else the user.
func topic(s system.SimulatedRequest) string {
	if b, ok := shownBrief(s); ok {
		return string(b.Topic)
	}
	return wishedTopic(s)
}

// shownBrief is the brief that an agent is shown; ok is false where there is none.
func shownBrief(s system.SimulatedRequest) (b brief, ok bool) {
	err := json.Unmarshal(shownField(s.Text, "creativeBrief"), &b)
	return b, err == nil && b.usable()
}

// wishedTopic is the topic in the last of the user's words that have one.
func wishedTopic(s system.SimulatedRequest) string {
	short := ""
	for _, words := range wordsIn(s.Text) {
		if short == "" || hasTopic(words) {
			short = strings.TrimSpace(shortened(words, 24))
		}
	}
	if short == "" {
		return either(s, "这一篇", "this piece")
	}
	return either(s, "关于“"+short+"”", "about “"+short+"”")
}

// shownField is the JSON of a field that an agent is shown, nil where it is not.
func shownField(shown, field string) json.RawMessage {
	_, rest, found := strings.Cut(shown, heading+field+"\n")
	if !found {
		return nil
	}
	line, _, _ := strings.Cut(rest, "\n")
	return json.RawMessage(line)
}

// sentence is what there is to say.
func sentence(s system.SimulatedRequest) string {
	return topic(s) + either(s, "：先把最要紧的三件事做好，提前准备、量力而行、留有余地。", ": do the three things that matter first, prepare early, take it easy, leave some slack.")
}

// saysBrief asks for what is expected, and, where nobody expects anything, for a topic
// that is missing.
func saysBrief(s system.SimulatedRequest) system.SimulatedReply {
	request := requestIn(s.Text)
	before, found := shownBrief(s)
	asks := expectation(s).SimulatedQuestions
	if len(s.Expected) == 0 && !found && !hasTopic(request) {
		asks = []string{"topic"}
	}
	if len(asks) > 0 && !strings.Contains(s.Text, noAskLine) {
		var questions []object
		for _, key := range asks {
			question := either(s, "请问"+key+"有什么要求？", "What should the "+key+" be?")
			if key == "topic" {
				question = either(s, "想写什么题目？", "What should it be about?")
			}
			questions = append(questions, object{"key": key, "question": question})
		}
		return spoken(object{"questions": questions})
	}
	if !found || beginsPiece(request) {
		before = brief{Topic: text(wishedTopic(s))}
	}
	must := append(texts{}, before.MustInclude...)
	if n := countImages(request); n > 0 {
		must = texts{fmt.Sprintf(either(s, "%d 张图", "%d pictures"), n)}
	}
	return spoken(object{"creativeBrief": object{"topic": before.Topic, "audience": either(s, "对此感兴趣的普通读者", "curious readers"),
		"platform": either(s, "小红书", "newsletter"), "tone": either(s, "真诚、具体", "plain and warm"),
		"goals": []string{either(s, "读完就能用上", "useful at once")}, "must_include": must}})
}

// saysResearch searches once or twice before it answers.
func saysResearch(s system.SimulatedRequest) system.SimulatedReply {
	if searches := 1 + int(s.Seed%2); s.Results < searches && len(s.Tools) > 0 {
		query := topic(s) + either(s, " 数据", " figures")
		if s.Results > 0 {
			query = topic(s) + either(s, " 案例", " examples")
		}
		return system.SimulatedReply{Calls: []agent.ToolCall{{Name: searchTool, Input: callInput("query", query)}}}
	}
	return spoken(object{
		"evidencePack": object{"summary": sentence(s), "facts": []object{{"claim": sentence(s), "source": either(s, "公开资料", "public sources")}}},
		"bodyBlocks":   []object{{"heading": either(s, "要点", "Key points"), "points": []string{topic(s)}}},
	})
}

func saysReference(s system.SimulatedRequest) system.SimulatedReply {
	var images texts
	_ = json.Unmarshal(shownField(s.Text, "referenceImages"), &images) // none where there are none
	if len(images) == 0 {
		images = texts{""}
	}
	var analyses []object
	for _, at := range images {
		analyses = append(analyses, object{"image": at, "style": either(s, "干净的生活感", "clean and everyday"),
			"palette": either(s, "米白、浅绿", "off-white and sage"), "notes": either(s, "留白多，光线柔和", "plenty of white space, soft light")})
	}
	return spoken(object{"referenceAnalyses": analyses})
}

func saysLayout(s system.SimulatedRequest) system.SimulatedReply {
	return spoken(object{"layoutSpec": object{"format": either(s, "图文", "article"), "sections": []object{
		{"title": either(s, "开头", "Opening"), "purpose": either(s, "说清楚为什么值得看", "why it matters"), "image": true},
		{"title": either(s, "正文", "Body"), "purpose": topic(s), "image": false},
		{"title": either(s, "收尾", "Closing"), "purpose": either(s, "给出下一步", "what to do next"), "image": true},
	}}})
}

// saysImagePlan plans as many pictures as the user asks for, or the brief.
func saysImagePlan(s system.SimulatedRequest) system.SimulatedReply {
	b, _ := shownBrief(s)
	n := cmp.Or(countImages(requestIn(s.Text)), countImages(strings.Join(b.MustInclude, " ")), defaultImages)
	var plans []object
	for i := range n {
		title := fmt.Sprintf(either(s, "第 %d 段", "Part %d"), i+1)
		switch i {
		case 0:
			title = either(s, "开头", "Opening")
		case n - 1:
			title = either(s, "收尾", "Closing")
		}
		plans = append(plans, object{"id": fmt.Sprintf("p%d", i+1), "section": title, "prompt": topic(s) + either(s, "，自然光，", ", daylight, ") + title, "size": "3:4"})
	}
	return spoken(object{"imagePlans": plans})
}

func saysWriter(s system.SimulatedRequest) system.SimulatedReply {
	return spoken(object{"generatedContent": object{"title": topic(s), "body": sentence(s), "tags": []string{either(s, "笔记", "notes")}}})
}

// saysIllustrator has each plan painted once.
func saysIllustrator(s system.SimulatedRequest) system.SimulatedReply {
	var plans list[imagePlan]
	if s.Results == 0 && len(s.Tools) > 0 && json.Unmarshal(shownField(s.Text, "imagePlans"), &plans) == nil {
		var calls []agent.ToolCall
		for _, p := range plans {
			calls = append(calls, agent.ToolCall{Name: paintTool, Input: callInput("plan_id", string(p.ID))})
		}
		return system.SimulatedReply{Calls: calls}
	}
	return spoken(object{"generatedImageAssetIds": []string{}})
}

func callInput(name, value string) string {
	raw, err := json.Marshal(map[string]string{name: value})
	if err != nil || !utf8.Valid(raw) {
		return "{}"
	}
	return string(raw)
}

// defaultScore is that of a dimension of which nothing is said.
const defaultScore = 0.9

// saysReview gives the scores that are expected of the n-th review of the turn.
func saysReview(s system.SimulatedRequest) system.SimulatedReply {
	given := map[string]json.RawMessage{}
	if reviews := expectation(s).SimulatedReviews; len(reviews) > 0 {
		_ = json.Unmarshal(reviews[min(max(s.Nth, 1), len(reviews))-1], &given) // all usual where it is none
	}
	q := scores{}
	for _, d := range dimensions {
		q[d.name] = defaultScore
		if n, ok := unit(given[d.name]); ok {
			q[d.name] = n
		}
	}
	pass := defaultQuality
	if n, ok := unit([]byte(lineIn(s.Text, passLine))); ok {
		pass = n
	}
	approved := q.isQualityApproved(pass)
	if is, ok := truth(given["approved"]); ok {
		approved = is
	}
	comment := either(s, "可以发布", "good to go")
	if low, ok := q.lowest(pass); ok {
		comment = either(s, "需要改进："+low.name, "to be improved: "+low.name)
	}
	return spoken(object{"reviewFeedback": object{"approved": approved, "comments": []string{comment}}, "qualityScores": q})
}
