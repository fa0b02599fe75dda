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
	plannerFailed     = "PLANNER_FAILED"
	executorFailed    = "EXECUTOR_FAILED"
	busy              = "BUSY"
	unknownError      = "UNKNOWN_ERROR"
)

// errorReplies maps each code to the message for the user.
var errorReplies = map[string]string{
	emptyInput:        "还没有收到内容，请说说想画什么，比如“一只在雨里打伞的猫”。",
	notUnderstood:     "没太明白你的意思。可以说说想生成什么画面，或者想怎样修改现有的图片。",
	textTooLong:       "这段文字太长了，请精简成几句话再发一次。",
	maskRequired:      "要修改图片的局部，请先在画布上涂抹出蒙版，圈出想改的区域。",
	invalidMask:       "蒙版没能读出来，请重新涂抹要修改的区域后再试。",
	baseImageRequired: "局部重绘需要蒙版和底图，请先生成或上传一张图片。",
	plannerFailed:     "暂时没能理解你的需求，请稍后再试。",
	executorFailed:    "图片没有画成，请稍后重试，或者换个说法。",
	busy:              "上一个请求还在处理中，请等它完成后再发送。",
	unknownError:      "出了点意外，请稍后再试。",
}

// isErrorReply reports whether a message of the history is an error reply. Such messages are not
// part of the conversation for models.
func isErrorReply(text string) bool {
	for _, a := range errorReplies {
		if a == text {
			return true
		}
	}
	return false
}

// failureOf returns the error reply for an error in a node.
func failureOf(node string, err error) *agent.ErrorReply {
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
	f.Message = cmp.Or(errorReplies[f.Code], errorReplies[unknownError])
	return f
}
