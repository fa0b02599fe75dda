package toolrouter

import "evalctl/agent/trace"

// OnStream makes an emit function of a callback that wants only what is shown
// to the user: chunks in order, banners among them, then exactly one call with
// done and the whole content.
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
