package toolrouter

import "evalctl/agent/trace"

// OnStream adapts a callback for user-visible output to an event callback. onStream receives the
// chunks and banners in order, then exactly one call with done and the whole content.
func OnStream(onStream func(chunk string, done bool)) func(trace.Event) {
	return func(e trace.Event) {
		switch e.Kind {
		case trace.KindBanner, trace.KindChunk:
			onStream(e.Text, false)
		case trace.KindDone:
			onStream(e.Text, true)
		}
	}
}
