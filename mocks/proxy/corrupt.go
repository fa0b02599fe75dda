package proxy

import (
	"bytes"
	"errors"

	"evalctl/mocks/component"
	"evalctl/mocks/fault"
	"evalctl/mocks/jsontext"
)

// errNothing means that the fault does not change the answer.
var errNothing = errors.New("the answer has nothing that it changes")

// spoiled applies a fault to a complete answer; seed selects between variants. If nothing changes,
// it returns the original and errNothing.
func spoiled(b []byte, kind fault.Kind, work component.Role, seed uint64) ([]byte, error) {
	v, err := jsontext.Parse(b)
	top, ok := v.(jsontext.Object)
	if err != nil || !ok {
		return nil, errors.New("the answer is not a JSON object")
	}
	was := jsontext.AppendValue(nil, v)
	spoil(top, kind, work, seed)
	if now := jsontext.AppendValue(nil, v); !bytes.Equal(now, was) {
		return now, nil
	}
	return b, errNothing
}

func spoil(top jsontext.Object, kind fault.Kind, work component.Role, seed uint64) {
	if work == component.RoleRetrieval || work == component.RoleSearchEngine {
		empty(top)
		return
	}
	choices := choicesOf(top)
	for i, one := range choices {
		choice, _ := one.(jsontext.Object)
		message, _ := choice.Find("message").(jsontext.Object)
		if message == nil {
			continue
		}
		said := answerOf(message)
		left := kind.Corrupt(said, false, seed+uint64(i))
		set(&choice, "message", leave(message, left))
		if left.FinishReason != "" {
			set(&choice, "finish_reason", left.FinishReason)
		} else if len(left.ToolCalls) < len(said.ToolCalls) {
			set(&choice, "finish_reason", "stop")
		}
		choices[i] = choice
	}
}
