package proxy

import (
	"bytes"
	"errors"

	"evalctl/mocks/component"
	"evalctl/mocks/fault"
	"evalctl/mocks/jsontext"
)

// errNothing is that an answer has nothing that the fault could spoil.
var errNothing = errors.New("the answer has nothing that it changes")

// spoiled is a whole answer as the kind leaves it; seed decides where there is more than
// one way. Where nothing changes it is as it came, with errNothing.
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
