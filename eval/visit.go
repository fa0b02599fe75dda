package eval

import (
	"time"

	"evalctl/agent/llm"
	"evalctl/agent/trace"
)

// maxVisits is the number of visits in a turn after which a node that was already visited gets no
// further visit. Its last visit then also contains its later calls. The limit keeps the result of a
// trial with many calls short enough to be read again.
const maxVisits = 1_000

// MaxNodeName is the maximum length of the name of a node in a result, in bytes.
const MaxNodeName = 200

// visits are the visits of nodes in a turn, in the order of their first calls. A visit includes
// polls and back-off, because the user waits for them too. It ends when another node becomes
// active.
type visits []visit

type visit struct {
	NodeVisit
	earlier    Millis // duration of the earlier visits that this one contains, see maxVisits
	start, end time.Duration
	left       time.Duration // time when another node became active, or notLeft
	spent      bill
}

const notLeft = -1

// add records a call of the node, in its current visit or in a new one.
func (v *visits) add(node string, s *trace.Span, prices PriceFunc) {
	n := v.last(node)
	isNew := n == nil || n.left != notLeft && s.Start >= n.left
	switch {
	case n == nil || isNew && len(*v) < maxVisits:
		*v = append(*v, visit{NodeVisit: NodeVisit{Node: node}, start: s.Start, left: notLeft})
		n = &(*v)[len(*v)-1]
	case isNew:
		n.earlier, n.start, n.end, n.left = n.Duration, s.Start, s.Start, notLeft
	}
	n.start = min(n.start, s.Start)
	n.end = max(n.end, s.Start+s.Duration)
	n.Duration = n.earlier + Millis(n.end-n.start)
	n.Calls++
	n.spent.add(s, prices)
	if s.FromCache {
		n.CachedCalls++
	}
	if s.Error == "" && !s.FromCache {
		n.CallDurations = append(n.CallDurations, Millis(s.Duration))
	}
	n.CallError = llm.ErrorKind(s.Error)
}

func (v visits) last(node string) *visit {
	for i := len(v) - 1; i >= 0; i-- {
		if v[i].Node == node {
			return &v[i]
		}
	}
	return nil
}

// leaveOthers ends the visits of all other nodes when an event shows that its node is active. It
// ignores chunks, because their call is already recorded, and faults, because the called node
// reports them.
func (v visits) leaveOthers(e trace.Event) {
	if e.Node == "" || e.Kind == trace.KindChunk || e.Kind == trace.KindFault {
		return
	}
	at := e.Offset
	if e.Span != nil {
		at = e.Span.Start
	}
	for i := range v {
		if v[i].Node != e.Node && v[i].left == notLeft && at >= v[i].end {
			v[i].left = at
		}
	}
}

// fail marks the node's last visit as failed, even if its last call succeeded.
func (v visits) fail(node string, kind llm.ErrorKind) {
	if n := v.last(node); n != nil && n.CallError == "" {
		n.CallError = kind
	}
}
