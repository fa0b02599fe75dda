package clock

// queue is a list in order of arrival that anybody leaves in constant time.
type queue[T any] struct{ first, last *place[T] }

// place is where its owner stands in a queue; the zero place is in none.
type place[T any] struct {
	owner      T
	in         *queue[T]
	prev, next *place[T]
}

func (q *queue[T]) empty() bool { return q.first == nil }

func (q *queue[T]) push(p *place[T], owner T) {
	p.owner, p.in, p.prev = owner, q, q.last
	if q.last == nil {
		q.first = p
	} else {
		q.last.next = p
	}
	q.last = p
}

// pop takes the first out of a queue that is not empty.
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
	p.in, p.prev, p.next = nil, nil, nil
}
