package scholar

import (
	"encoding/json"
	"regexp"
	"strings"

	"evalctl/agent/system"
)

// What simulated models say: sentences of what they are shown, and nothing besides.

// How long simulated answers are, in about so many tokens.
const (
	condensedLength = 120
	reportLength    = 250
	answerLength    = 160
	pieceLength     = 45 // of a document among many
)

// saysSummary copies the title and the sentences that tell most.
func saysSummary(s system.SimulatedRequest) system.SimulatedReply {
	title, _, _ := strings.Cut(strings.TrimSpace(s.Text), "\n")
	title = strings.TrimSpace(strings.TrimPrefix(title, "#"))
	chosen := best(sentences(s.Text), condensedLength-weight(title), informativeness)
	return system.SimulatedReply{Content: title + "\n" + joined(chosen)}
}

// saysReport keeps what each summary of a group tells.
func saysReport(s system.SimulatedRequest) system.SimulatedReply {
	return system.SimulatedReply{Content: perDocument(s.Text, reportLength, informativeness)}
}

// saysAnswer says what of the material is nearest to the question, and tells most.
func saysAnswer(s system.SimulatedRequest) system.SimulatedReply {
	question := features(s.Text)
	score := func(sentence string) float64 { return wordOverlap(question, sentence) + 0.3*informativeness(sentence) }
	said := perDocument(material(s.System), answerLength, score)
	if said == "" {
		said = map[bool]string{true: "所给文献中没有找到相关内容。", false: "The documents do not say."}[isChinese(s.Text)]
	}
	return system.SimulatedReply{Content: said}
}

var headingLine = regexp.MustCompile(`(?m)^【[^】\n]{2,10}】$`)

// material is what stands behind the first heading of a prompt.
func material(prompt string) string {
	all := headingLine.FindAllStringIndex(prompt, -1)
	if len(all) == 0 {
		return ""
	}
	return prompt[all[0][1]:]
}

// documentHead begins a document, or a passage of one, in what a model is shown.
var documentHead = regexp.MustCompile(`(?m)^\[([^\]#\n]{1,120})(?:#[^\]\n]*)?\] ?(《[^\n]*》)$`)

// shownDocument is what a model is shown of a document.
type shownDocument struct{ title, text string }

// documentsIn are those of a text, each with all its passages.
func documentsIn(text string) (list []shownDocument) {
	heads := documentHead.FindAllStringSubmatchIndex(text, -1)
	at := map[string]int{}
	for i, h := range heads {
		end := len(text)
		if i+1 < len(heads) {
			end = heads[i+1][0]
		}
		id := text[h[2]:h[3]]
		n, known := at[id]
		if !known {
			n, at[id] = len(list), len(list)
			list = append(list, shownDocument{title: text[h[4]:h[5]]})
		}
		list[n].text += text[h[1]:end] + "\n"
	}
	return list
}

// perDocument takes from each document what scores most; of one alone all that there is
// room for.
func perDocument(text string, most int, score func(string) float64) string {
	docs := documentsIn(text)
	switch len(docs) {
	case 0:
		return joined(best(sentences(text), most, score))
	case 1:
		return joined(best(sentences(docs[0].text), most, score))
	}
	each := max(most*3/2/len(docs), pieceLength)
	var parts []string
	for _, d := range docs {
		if chosen := best(sentences(d.text), each, score); len(chosen) > 0 {
			parts = append(parts, d.title+"\n"+joined(chosen))
		}
	}
	return strings.Join(parts, "\n")
}

func joined(list []string) string {
	if len(list) > 0 && isChinese(strings.Join(list, "")) {
		return strings.Join(list, "")
	}
	return strings.Join(list, " ")
}

// offered are the documents that a prompt lists.
var offered = regexp.MustCompile(`(?m)^- ([^：\n]{1,120})：`)

// saysQuestions asks the user's question of each document that it is about, as the
// labels say; now and then it forgets one, or takes another.
func saysQuestions(s system.SimulatedRequest) system.SimulatedReply {
	var ids []string
	for _, m := range offered.FindAllStringSubmatch(s.System, -1) {
		ids = append(ids, m[1])
	}
	targets := wantedTargets(s.Expected)
	if len(ids) > 1 && s.Seed%20 == 0 {
		targets = []string{ids[s.Seed/20%uint64(len(ids))]}
	}
	list := []map[string]any{}
	for _, id := range targets {
		list = append(list, map[string]any{"question": s.Text, "doc_id": id})
	}
	if len(list) == 0 {
		list = append(list, map[string]any{"question": s.Text, "doc_id": nil})
	}
	return spoken(map[string]any{"sub_questions": list})
}

// wantedTargets are the labelled ones, of several lists the first.
func wantedTargets(want json.RawMessage) []string {
	var w struct {
		Targets json.RawMessage `json:"targets"`
	}
	if json.Unmarshal(want, &w) != nil {
		return nil
	}
	var one string
	var several []string
	if json.Unmarshal(w.Targets, &one) != nil && json.Unmarshal(w.Targets, &several) == nil && len(several) > 0 {
		one = several[0]
	}
	if one == "" {
		return nil
	}
	return strings.Split(one, ",")
}

func spoken(v any) system.SimulatedReply {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err) // texts and numbers always can be
	}
	return system.SimulatedReply{Content: string(text)}
}

// saysGrades compares words, and errs now and then.
func saysGrades(s system.SimulatedRequest) system.SimulatedReply {
	facts, answer, _ := strings.Cut(s.Text, "\n"+answerHeading+"\n")
	answer = plainWords(answer)
	stated := []bool{}
	for line := range strings.Lines(facts) {
		_, fact, ok := strings.Cut(strings.TrimSpace(line), ". ")
		if !ok {
			continue
		}
		is := false
		for wording := range strings.SplitSeq(fact, orElse) {
			is = is || strings.Contains(answer, plainWords(wording))
		}
		if s.Seed>>(len(stated)%32)%31 == 0 {
			is = !is
		}
		stated = append(stated, is)
	}
	return spoken(map[string]any{"stated": stated})
}

// plainWords is a text without case, spaces and marks between thousands.
func plainWords(text string) string {
	return strings.NewReplacer(" ", "", ",", "", "，", "", "\n", "").Replace(strings.ToLower(text))
}
