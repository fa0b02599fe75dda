package toolrouter

import "evalctl/agent/trace"

// NewStreamCallback returns an event callback for Agent.Respond that passes only the text for the
// user to onStream. It calls onStream for each chunk and banner in order with done=false, and then
// once for the whole content with done=true.
func NewStreamCallback(onStream func(chunk string, done bool)) func(trace.Event) {
	return func(e trace.Event) {
		switch e.Kind {
		case trace.KindBanner, trace.KindChunk:
			onStream(e.Text, false)
		case trace.KindDone:
			onStream(e.Text, true)
		}
	}
}
