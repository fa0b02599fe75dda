package eval

import (
	"time"

	"evalctl/agent/llm"
	"evalctl/agent/trace"
)

// visits are a turn's visits of nodes, in the order of their first calls. One
// lasts from its first call's start to its last call's end, polls and back-off
// included, as the user waits for it, until another node has its turn.
type visits []visit

type visit struct {
	NodeVisit
	start, end time.Duration
	left       time.Duration // when something else went on; stays: nothing has
}

const stays = -1

// add counts a call.
func (v *visits) add(node string, s *trace.Span) {
	n := v.last(node)
	if n == nil || n.left != stays && s.Start >= n.left {
		*v = append(*v, visit{NodeVisit: NodeVisit{Node: node}, start: s.Start, left: stays})
		n = &(*v)[len(*v)-1]
	}
	n.start = min(n.start, s.Start)
	n.end = max(n.end, s.Start+s.Duration)
	n.Duration = Millis(n.end - n.start)
	n.Calls++
	if s.Cached {
		n.CachedCalls++
	}
	if s.Error == "" && !s.Cached {
		n.CallDurations = append(n.CallDurations, Millis(s.Duration))
	}
	n.CallError = llm.ErrorKind(s.Error)
}

// last is the node's last visit, nil where it has none.
func (v visits) last(node string) *visit {
	for i := len(v) - 1; i >= 0; i-- {
		if v[i].Node == node {
			return &v[i]
		}
	}
	return nil
}

// pass has the visits end that an event of another node follows; a piece of an
// answer is told besides by its call, and a fault that strikes by who is asked.
func (v visits) pass(e trace.Event) {
	if e.Node == "" || e.Kind == trace.KindChunk || e.Kind == trace.KindFault {
		return
	}
	at := e.Offset
	if e.Span != nil {
		at = e.Span.Start
	}
	for i := range v {
		if v[i].Node != e.Node && v[i].left == stays && at >= v[i].end {
			v[i].left = at
		}
	}
}

// failed has a node's work come to nothing behind its last call.
func (v visits) failed(node string, kind llm.ErrorKind) {
	if n := v.last(node); n != nil && n.CallError == "" {
		n.CallError = kind
	}
}
