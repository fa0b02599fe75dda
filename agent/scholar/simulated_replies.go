package scholar

import (
	"encoding/json"
	"regexp"
	"strings"

	"evalctl/agent/system"
)

// The functions below return the replies of simulated models. The replies consist of sentences from
// the prompts.

// Lengths of simulated replies, in approximate tokens.
const (
	condensedLength = 120
	reportLength    = 250
	answerLength    = 160
	pieceLength     = 45 // length per document if a prompt contains many
)

// simulateSummary returns the title and the most informative sentences of a document.
func simulateSummary(s system.SimulatedRequest) system.SimulatedReply {
	title, _, _ := strings.Cut(strings.TrimSpace(s.Text), "\n")
	title = strings.TrimSpace(strings.TrimPrefix(title, "#"))
	chosen := topSentences(sentences(s.Text), condensedLength-approxTokens(title), informativeness)
	return system.SimulatedReply{Content: title + "\n" + joinSentences(chosen)}
}

// simulateReport returns the most informative sentences of each summary.
func simulateReport(s system.SimulatedRequest) system.SimulatedReply {
	return system.SimulatedReply{Content: perDocument(s.Text, reportLength, informativeness)}
}

// simulateAnswer returns the sentences that are most similar to the question. Informative sentences
// are preferred.
func simulateAnswer(s system.SimulatedRequest) system.SimulatedReply {
	question := features(s.Text)
	score := func(sentence string) float64 { return wordOverlap(question, sentence) + 0.3*informativeness(sentence) }
	content := perDocument(promptMaterial(s.System), answerLength, score)
	if content == "" {
		content = map[bool]string{true: "所给文献中没有找到相关内容。", false: "The documents do not say."}[isChinese(s.Text)]
	}
	return system.SimulatedReply{Content: content}
}

var headingLine = regexp.MustCompile(`(?m)^【[^】\n]{2,10}】$`)

// promptMaterial returns the part of a prompt after its first heading: the document content.
func promptMaterial(prompt string) string {
	all := headingLine.FindAllStringIndex(prompt, -1)
	if len(all) == 0 {
		return ""
	}
	return prompt[all[0][1]:]
}

// documentHead matches the line at the start of a document or passage in a prompt.
var documentHead = regexp.MustCompile(`(?m)^\[([^\]#\n]{1,120})(?:#[^\]\n]*)?\] ?(《[^\n]*》)$`)

// shownDocument is a document in a prompt.
type shownDocument struct{ title, text string }

// documentsIn returns the documents in a prompt, each with the text of all its passages.
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

// perDocument returns the best sentences of each document. most is the approximate length of the
// result in tokens.
func perDocument(text string, most int, score func(string) float64) string {
	docs := documentsIn(text)
	switch len(docs) {
	case 0:
		return joinSentences(topSentences(sentences(text), most, score))
	case 1:
		return joinSentences(topSentences(sentences(docs[0].text), most, score))
	}
	each := max(most*3/2/len(docs), pieceLength)
	var parts []string
	for _, d := range docs {
		if chosen := topSentences(sentences(d.text), each, score); len(chosen) > 0 {
			parts = append(parts, d.title+"\n"+joinSentences(chosen))
		}
	}
	return strings.Join(parts, "\n")
}

func joinSentences(list []string) string {
	if len(list) > 0 && isChinese(strings.Join(list, "")) {
		return strings.Join(list, "")
	}
	return strings.Join(list, " ")
}

// listedDocument matches a line of the list of documents in a prompt.
var listedDocument = regexp.MustCompile(`(?m)^- ([^：\n]{1,120})：`)

// simulateQuestions returns one sub-question for each document that the case labels as a target.
// With 1 of 20 seeds it uses a random document instead.
func simulateQuestions(s system.SimulatedRequest) system.SimulatedReply {
	var ids []string
	for _, m := range listedDocument.FindAllStringSubmatch(s.System, -1) {
		ids = append(ids, m[1])
	}
	targets := labeledTargets(s.Expected)
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
	return jsonReply(map[string]any{"sub_questions": list})
}

// labeledTargets returns the documents that the case labels as targets. If the case accepts several
// lists, it returns the first.
func labeledTargets(want json.RawMessage) []string {
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

func jsonReply(v any) system.SimulatedReply {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err) // cannot happen: strings and numbers can always be encoded
	}
	return system.SimulatedReply{Content: string(text)}
}

// simulateGrades compares the words of the facts and the answer. It inverts a few of the results,
// to simulate errors of a grading model.
func simulateGrades(s system.SimulatedRequest) system.SimulatedReply {
	facts, answer, _ := strings.Cut(s.Text, "\n"+answerHeading+"\n")
	answer = plainWords(answer)
	stated := []bool{}
	for line := range strings.Lines(facts) {
		_, fact, ok := strings.Cut(strings.TrimSpace(line), ". ")
		if !ok {
			continue
		}
		is := false
		for wording := range strings.SplitSeq(fact, wordingSeparator) {
			is = is || strings.Contains(answer, plainWords(wording))
		}
		if s.Seed>>(len(stated)%32)%31 == 0 {
			is = !is
		}
		stated = append(stated, is)
	}
	return jsonReply(map[string]any{"stated": stated})
}

// plainWords returns a text in lower case, without spaces and thousands separators.
func plainWords(text string) string {
	return strings.NewReplacer(" ", "", ",", "", "，", "", "\n", "").Replace(strings.ToLower(text))
}
