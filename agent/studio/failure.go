package studio

import (
	"cmp"
	"errors"

	"evalctl/agent"
	"evalctl/agent/llm"
)

// errorCode is an error that follows from the user's input, not from a failed call. Its text is the
// code of the error reply.
type errorCode string

func (r errorCode) Error() string { return string(r) }

// The codes of error replies.
const (
	emptyInput        = "EMPTY_INPUT"
	notUnderstood     = "NOT_UNDERSTOOD"
	textTooLong       = "TEXT_TOO_LONG"
	maskRequired      = "MASK_REQUIRED"
	invalidMask       = "INVALID_MASK"
	baseImageRequired = "BASE_IMAGE_REQUIRED"
	nothingToAdjust   = "NOTHING_TO_ADJUST"
	nothingToRepeat   = "NOTHING_TO_REPEAT"
	detailsRequired   = "DETAILS_REQUIRED"
	plannerFailed     = "PLANNER_FAILED"
	executorFailed    = "EXECUTOR_FAILED"
	busy              = "BUSY"
	unknownError      = "UNKNOWN_ERROR"
)

// errorReplies maps each code to the message for the user.
var errorReplies = map[string]bilingual{
	emptyInput: {"还没有收到内容，请说说想画什么，比如“一只在雨里打伞的猫”。",
		"Nothing came through. Say what to draw, for example “a cat with an umbrella in the rain”."},
	notUnderstood: {"没太明白你的意思。可以说说想生成什么画面，或者想怎样修改现有的图片。",
		"I did not quite understand. Say which image to generate, or how to change the present one."},
	textTooLong: {"这段文字太长了，请精简成几句话再发一次。",
		"The text is too long. Please shorten it to a few sentences and send it again."},
	maskRequired: {"要修改图片的局部，请先在画布上涂抹出蒙版，圈出想改的区域。",
		"To change a part of the image, first paint a mask on the canvas over the area to change."},
	invalidMask: {"蒙版没能读出来，请重新涂抹要修改的区域后再试。", "The mask could not be read. Please mark the area again and retry."},
	baseImageRequired: {"局部重绘需要蒙版和底图，请先生成或上传一张图片。",
		"Changing an area requires an image and a mask. Please generate or upload an image first."},
	nothingToAdjust: {"还没有可以调整的图片。想调整什么？请先生成或上传一张图片，再说想怎么改。",
		"There is no image to adjust yet. What should be adjusted? " +
			"Generate or upload an image first, then say how to change it."},
	nothingToRepeat: {"还没有可以重新生成的内容，请先说说想画什么。", "There is nothing to repeat yet. Say what to draw first."},
	detailsRequired: {"想怎么改？请写出具体的要求，或者把新的描述整段发给我。",
		"How should it change? Say what to change, or send the whole new description."},
	plannerFailed: {"暂时没能理解你的需求，请稍后再试。", "Your request could not be understood for now. Please try again later."},
	executorFailed: {"图片没有画成，请稍后重试，或者换个说法。",
		"The image could not be generated. Please retry later, or put it in other words."},
	busy: {"上一个请求还在处理中，请等它完成后再发送。",
		"The previous request is still being processed. Please wait until it is done."},
	unknownError: {"出了点意外，请稍后再试。", "Something went wrong. Please try again later."},
}

// isErrorReply reports whether a message of the history is an error reply. Such messages are not
// part of the conversation for models.
func isErrorReply(content string) bool {
	for _, t := range errorReplies {
		if content == t.zh || content == t.en {
			return true
		}
	}
	return false
}

// failureOf returns the error reply for an error in a node. userText determines its language.
func failureOf(node, userText string, err error) *agent.ErrorReply {
	f := &agent.ErrorReply{Node: node, Code: unknownError}
	switch node {
	case plannerNode:
		f.Code = plannerFailed
	case executorNode:
		f.Code = executorFailed
	}
	if code := errorCode(""); errors.As(err, &code) {
		f.Code = string(code)
	} else {
		f.Cause = llm.TraceReason(err)
	}
	f.Message = cmp.Or(errorReplies[f.Code], errorReplies[unknownError]).localized(userText)
	return f
}
