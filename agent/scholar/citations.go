package scholar

import (
	"context"
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

	"evalctl/agent/trace"
)

// bracketed matches a text in square brackets. A link, [text](URL), is not a citation.
var bracketed = regexp.MustCompile(`[\[【]([^\[\]【】\n]{1,300})[\]】](\()?`)

// bracketedIDs returns the elements of the lists in square brackets, such as zh-03#2 and en-01 of
// "[zh-03#2; en-01]".
func bracketedIDs(text string) (ids []string) {
	for _, m := range bracketed.FindAllStringSubmatch(norm.NFKC.String(text), -1) {
		if m[2] != "" {
			continue
		}
		for id := range strings.FieldsFuncSeq(m[1], func(r rune) bool { return strings.ContainsRune(",;、", r) }) {
			ids = append(ids, strings.Trim(id, " `*"))
		}
	}
	return ids
}

// checkCitations traces which sources the answer cites, and which of them the model was not shown.
// An answer without citations has no event.
func (r *run) checkCitations(ctx context.Context) {
	shown := map[string]bool{}
	for _, id := range r.shownIDs() {
		shown[norm.NFKC.String(id)] = true
		shown[norm.NFKC.String(passageOf(id))] = true
	}
	var cited trace.Citations
	seen := map[string]bool{}
	for _, id := range bracketedIDs(r.reply.Content) {
		document, _, _ := strings.Cut(id, "#")
		isShown := shown[id] || r.strategy == fullContent && shown[document]
		if seen[id] || !isShown && !r.looksLikeID(id) {
			continue
		}
		seen[id] = true
		cited.Count++
		if !isShown {
			cited.NotInPrompt = append(cited.NotInPrompt, id)
		}
	}
	if cited.Count == 0 {
		return
	}
	e := trace.Event{Kind: trace.KindCitations, Node: answerNode, Text: excerpt(strings.Join(cited.NotInPrompt, ", "))}
	if cited.NotInPrompt != nil {
		e.Reason = "not_shown"
	}
	e.Data, _ = json.Marshal(cited) // cannot fail: a number and strings
	trace.Emit(ctx, e)
}

// shownIDs returns the IDs that the answering model has seen: those of the passages and documents
// in the prompt, and those in the conversation.
func (r *run) shownIDs() (ids []string) {
	for _, m := range r.messages("", answerTurns) {
		ids = append(ids, bracketedIDs(m.Text)...)
	}
	ids = append(ids, r.contextPassages...)
	ids = append(ids, r.contextDocs...)
	for _, d := range r.docs {
		if r.strategy == fullContent || r.strategy == multiDocSummary && !slices.Contains(r.withoutSummary, d.name()) {
			ids = append(ids, d.ID)
		}
	}
	return ids
}

// looksLikeID reports whether a text in brackets has the form of a passage ID, or differs from the
// ID of a document only in its digits. Other texts in brackets are not citations.
func (r *run) looksLikeID(text string) bool {
	if passageID.MatchString(passageOf(text)) {
		return true
	}
	return slices.ContainsFunc(append(idsOf(r.docs), r.Library.ids...), func(id string) bool {
		return strings.ContainsFunc(id, isDigit) && withoutDigits(id) == withoutDigits(text) &&
			strings.TrimFunc(id, isDigit) != ""
	})
}

func isDigit(r rune) bool { return '0' <= r && r <= '9' }

// withoutDigits replaces each number by 0.
func withoutDigits(id string) string {
	return strings.Join(strings.FieldsFunc(id, isDigit), "0")
}
