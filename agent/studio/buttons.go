package studio

import (
	"cmp"
	"slices"
	"strings"

	"evalctl/agent"
)

// The ids of the buttons in panels. The field Action of a turn contains the id of the pressed
// button, and Text its label or what the user entered for it.
const (
	regenerateButton = "regenerate_btn"  // generates another image for the last request
	retryButton      = "retry_btn"       // repeats a request that failed
	editPromptButton = "edit_prompt_btn" // replaces the last request by the text of the turn
)

// suggestionButtons are the ids of the buttons for suggestions of the critic. They repeat the last
// request with the suggestion, which is the text of the turn.
var suggestionButtons = [maxSuggestions]string{"suggestion_1_btn", "suggestion_2_btn", "suggestion_3_btn",
	"suggestion_4_btn", "suggestion_5_btn"}

// ButtonIDs returns the ids of all buttons.
func ButtonIDs() []string {
	return append([]string{regenerateButton, retryButton, editPromptButton}, suggestionButtons[:]...)
}

// Labels of buttons that do not come from a model.
var (
	regenerate       = bilingual{"重新生成", "Regenerate"}
	retry            = bilingual{"重试", "Retry"}
	editPrompt       = bilingual{"修改 Prompt", "Edit the prompt"}
	adjustStyle      = bilingual{"尝试调整风格强度", "Try another style strength"}
	mayAdjustStyle   = bilingual{"可以尝试调整风格强度", "You could change the style strength"}
	describeStyle    = bilingual{"建议增加更具体的风格描述", "Describe the style in more detail"}
	adjustParameters = bilingual{"可以尝试调整参数以获得更好效果", "Adjusting the parameters may improve the result"}
)

// fixedLabels contains the labels of each button that do not come from a model. Such suggestions do
// not say what to draw.
var fixedLabels = map[string][]bilingual{
	regenerateButton:     {regenerate},
	retryButton:          {retry},
	editPromptButton:     {editPrompt},
	suggestionButtons[0]: {adjustStyle, mayAdjustStyle, describeStyle, adjustParameters},
}

// localized returns labels in the user's language.
func (s *state) localized(labels ...bilingual) (list []string) {
	for _, l := range labels {
		list = append(list, l.localized(s.userText))
	}
	return list
}

// buttonWithLabel returns the id of the button that has a text as its fixed label or as its id; "":
// none. A user may type a label instead of pressing the button.
func buttonWithLabel(typed string) string {
	plain := func(s string) string {
		return strings.ToLower(strings.Trim(strings.ReplaceAll(s, " ", ""), "[]【】。.！!\t\r\n"))
	}
	typed = plain(typed)
	for _, id := range ButtonIDs() {
		if typed == id || slices.ContainsFunc(fixedLabels[id],
			func(l bilingual) bool { return typed == plain(l.zh) || typed == plain(l.en) }) {
			return id
		}
	}
	return ""
}

// resolveButton returns the turn that replaces a pressed button, such as the last request once
// more. repeat is the number of images that the request already has. problem is why the button has
// no effect; "": it has one, or none was pressed.
func resolveButton(t agent.Turn) (_ agent.Turn, repeat int, problem errorCode) {
	typed := buttonWithLabel(t.Text)
	if typed == "" && repeatsUnanswered(t) {
		typed = retryButton
	}
	id := cmp.Or(t.ButtonID, typed)
	request, images := lastRequest(t.History, id == retryButton)
	isRepeated := request >= 0 && t.Text == t.History[request].Content
	hasText := typed == "" && !isBlank(t.Text) && !isRepeated
	switch {
	case !slices.Contains(ButtonIDs(), id):
		return t, 0, ""
	case slices.Contains(suggestionButtons[:], id):
		if !hasText {
			return t, 0, detailsRequired
		}
	case hasText: // the user entered a new request
		return t, 0, ""
	case id == editPromptButton:
		return t, 0, detailsRequired
	case id == retryButton && isRejectedRequest(t.FailedMessage, t.History, request):
		return repeated(t, *t.FailedMessage), 0, ""
	}
	if request < 0 {
		return t, 0, nothingToRepeat
	}
	again := repeated(t, t.History[request])
	again.History = t.History[:request]
	if hasText {
		again.Text += agent.Localize(t.Text, "，", ", ") + t.Text
		images = 0
	}
	return again, images, ""
}

// repeated returns a turn with the text and the images of an earlier message. Images and a mask that
// the turn already has remain.
func repeated(t agent.Turn, m agent.Message) agent.Turn {
	t.Text = m.Content
	if len(t.Images) == 0 {
		t.Images = m.Images
	}
	return t
}

// repeatsUnanswered reports whether a text only requests to repeat a request that was not answered,
// as 再试一次 does after an error reply.
func repeatsUnanswered(t agent.Turn) bool {
	last := len(t.History) - 1
	if t.FailedMessage == nil && (last < 0 || !t.History[last].IsIncomplete()) {
		return false
	}
	repeats, changes := bareRequest(t.Text)
	return repeats && !changes
}

// isRejectedRequest reports whether a message that failed is a request that the history does not
// contain, because the agent rejected it. last is the index of the last request there, or -1.
func isRejectedRequest(failed *agent.Message, history []agent.Message, last int) bool {
	return failed != nil && isRequest(failed.Content) && (last < 0 || history[last].Content != failed.Content)
}

// isRequest reports whether a message of the user requests something itself: it is neither the label
// of a button nor a text such as 再试一次.
func isRequest(text string) bool {
	repeats, changes := bareRequest(text)
	return !isBlank(text) && buttonWithLabel(text) == "" && (changes || !repeats)
}

// lastRequest returns the index of the newest request of the user, or -1, and the number of images
// that were generated since. It skips requests whose answer asked for missing input, such as a mask,
// unless withRejected is true.
func lastRequest(history []agent.Message, withRejected bool) (at, images int) {
	isRejected := false
	for i, m := range slices.Backward(history) {
		switch {
		case m.Role != "user":
			isRejected = isErrorReply(m.Content)
			if m.GeneratedImageURL != "" {
				images++
			}
		case isRequest(m.Content) && (withRejected || !isRejected):
			return i, images
		}
	}
	return -1, 0
}
