package clock

// queue is a FIFO list from which any element can be removed in constant time.
type queue[T any] struct{ first, last *place[T] }

// place is an element of a queue. It is a field of the value that is in the queue (the owner). The
// zero place is in no queue.
type place[T any] struct {
	owner      T
	in         *queue[T]
	prev, next *place[T]
}

func (q *queue[T]) empty() bool { return q.first == nil }

func (q *queue[T]) push(p *place[T], owner T) {
	p.owner = owner
	p.in = q
	p.prev = q.last
	if q.last == nil {
		q.first = p
	} else {
		q.last.next = p
	}
	q.last = p
}

// pop removes the first element of a non-empty queue and returns its owner.
func (q *queue[T]) pop() T {
	p := q.first
	p.leave()
	return p.owner
}

func (p *place[T]) leave() {
	if p.in == nil {
		return
	}
	if p.prev == nil {
		p.in.first = p.next
	} else {
		p.prev.next = p.next
	}
	if p.next == nil {
		p.in.last = p.prev
	} else {
		p.next.prev = p.prev
	}
	p.in = nil
	p.prev = nil
	p.next = nil
}
